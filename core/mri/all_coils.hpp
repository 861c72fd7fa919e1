#pragma once

#include <span>
#include <vector>

#include "core/mri/coil_parts.hpp"

namespace recon {

/// K-space or maps of all coils of a scan, [element coil], as far as questions go that concern all of them, wherever
/// they are. Where processes hold parts each has its own here, every process asks at once, and all get the same answer:
/// what is found of a coil goes through no rounding on its way, sums over coils are added in another order.
class AllCoils {
public:
    /// They are all here. @param values  [element coil]
    AllCoils(std::span<const cfloat> values, Index coil_count);
    /// @param values  of the coils that the scan holds: k-space of a frame, or its maps
    AllCoils(const Scan& scan, std::span<const cfloat> values);

    /// The same coils of something else.
    AllCoils with(std::span<const cfloat> values) const;

    Index coil_count() const { return coil_count_; }
    Index length() const { return length_; }  ///< elements of a coil
    bool is_empty() const { return values_.empty(); }

    /// The coils that are here, by their numbers.
    const Share& here() const { return here_; }
    std::span<const cfloat> coil(Index number) const {
        return values_.subspan(static_cast<std::size_t>((number - here_.first) * length_),
                               static_cast<std::size_t>(length_));
    }
    /// values = sum over the processes
    void sum(std::span<double> values) const { ranks_->all_reduce_sum(values); }

    /// What `of_coil` finds of each, [coil]. It is called from several threads.
    template <class OfCoil>
    std::vector<double> of_each(const OfCoil& of_coil) const {
        std::vector<double> found(static_cast<std::size_t>(coil_count_), 0.0);
        const Index end = here_.first + here_.count;
#pragma omp parallel for schedule(dynamic) if (here_.count > 1)
        for (Index number = here_.first; number < end; ++number) {
            found[static_cast<std::size_t>(number)] = of_coil(coil(number));
        }
        sum(found);
        return found;
    }
    /// Some elements of all coils, [element coil].
    std::vector<cfloat> at(std::span<const Index> elements) const;
    /// All elements of all coils: for maps on coarse grids, and the like.
    std::vector<cfloat> everything() const;

private:
    template <class ElementOf>
    std::vector<cfloat> gather(Index count, const ElementOf& element_of) const;

    std::span<const cfloat> values_;
    Index coil_count_;
    Share here_;
    Communicator* ranks_;
    Index length_;
};

}  // namespace recon
