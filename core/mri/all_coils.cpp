#include "core/mri/all_coils.hpp"

#include "core/base/host_pages.hpp"

namespace recon {

AllCoils::AllCoils(std::span<const cfloat> values, Index coil_count)
    : values_(values),
      coil_count_(coil_count),
      here_{0, coil_count},
      ranks_(&only_rank()),
      length_(static_cast<Index>(values.size()) / coil_count) {}

AllCoils::AllCoils(const Scan& scan, std::span<const cfloat> values)
    : values_(values),
      coil_count_(scan.coil_count),
      here_(parts_of(scan).own),
      ranks_(&parts_of(scan).ranks),
      length_(static_cast<Index>(values.size()) / here_.count) {}

AllCoils AllCoils::with(std::span<const cfloat> values) const {
    AllCoils result = *this;
    result.values_ = values;
    result.length_ = static_cast<Index>(values.size()) / here_.count;
    return result;
}

template <class ElementOf>
std::vector<cfloat> AllCoils::gather(Index count, const ElementOf& element_of) const {
    auto result = vector_of_provided_pages<cfloat>(static_cast<std::size_t>(count * coil_count_));
    std::vector<double> numbers;  // of one coil at a time: from whom has it, zeros from the others
    for (Index number = 0; number < coil_count_; ++number) {
        cfloat* const to = result.data() + number * count;
        const bool is_here = number >= here_.first && number < here_.first + here_.count;
        if (is_here) {
            const std::span<const cfloat> from = coil(number);
#pragma omp parallel for schedule(static) if (count > 10'000)
            for (Index i = 0; i < count; ++i) {
                to[i] = from[static_cast<std::size_t>(element_of(i))];
            }
        }
        if (here_.count == coil_count_) {
            continue;
        }
        const auto* const reals = reinterpret_cast<const float*>(to);
        numbers.assign(reals, reals + 2 * count);
        sum(numbers);
        for (Index i = 0; i < count; ++i) {
            to[i] = cfloat(static_cast<float>(numbers[static_cast<std::size_t>(2 * i)]),
                           static_cast<float>(numbers[static_cast<std::size_t>(2 * i + 1)]));
        }
    }
    return result;
}

std::vector<cfloat> AllCoils::at(std::span<const Index> elements) const {
    return gather(std::ssize(elements), [&](Index i) { return elements[static_cast<std::size_t>(i)]; });
}

std::vector<cfloat> AllCoils::everything() const {
    return gather(length_, [](Index i) { return i; });
}

}  // namespace recon
