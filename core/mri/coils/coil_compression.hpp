#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// How many virtual coils to keep; at most one of the two numbers is set.
struct CoilCompressionOptions {
    Index coil_count = 0;  ///< so many; 0: by energy
    double energy = 0;     ///< as few as hold this part of the energy of k-space; 0: all coils as they are
    bool automatic =
        false;  ///< where neither is set: with a prior of the scan's own, as few as hold the signal of many

    bool is_asked_for() const { return coil_count > 0 || energy > 0; }
};

/// Sum over samples of d d^H, from any number of frames one after the other.
class CoilEnergy {
public:
    explicit CoilEnergy(Index coil_count) : coil_count_(coil_count), matrix_(coil_count * coil_count) {}

    /// @param kspace  [sample coil]
    void add(std::span<const cfloat> kspace);

    Index coil_count() const { return coil_count_; }
    const std::vector<cdouble>& matrix() const { return matrix_; }  ///< [coil coil]

private:
    Index coil_count_;
    std::vector<cdouble> matrix_;
};

/// The fewest virtual coils that lose next to nothing of the signal, which is what their energies e_1 >= e_2 >= ...
/// have beyond the least of all, as noise has it in each: those left out hold at most 3e-5 of it, or as much as the
/// noise of one coil, and none of them as much as a hundredth of the first, noise included. Where coils see different
/// parts of an object, or noise alone, that is all of them. (docs/decisions/0018-coils-of-the-signal.md)
Index coils_of_signal(const CoilEnergy& energy);

/// Fewer, virtual coils by singular value decomposition of k-space [Buehrer 2007]: the projections on those directions
/// in coil space that hold most of its energy. Orthonormal, so that white noise stays white.
class CoilCompression {
public:
    /// @throws UsageError if there are fewer coils than asked for, InputError if k-space is zero
    CoilCompression(const CoilEnergy& energy, const CoilCompressionOptions& options);

    Index coil_count() const { return static_cast<Index>(basis_.size()) / measured_count_; }
    double kept_energy() const { return kept_energy_; }  ///< part of all, 0 to 1

    /// Energies by measured coil of what is known by virtual coil: a virtual coil gives each what its direction has of
    /// it, relative to what all of them have. What the compression left out counts nowhere.
    std::vector<double> of_measured(const std::vector<double>& of_virtual) const;

    /// [element coil] of the measured coils becomes that of the virtual ones: samples of k-space, noise, coil maps.
    void apply(std::vector<cfloat>& values) const;
    /// Values of the virtual coils become those of the measured ones that they stand for.
    void undo(std::vector<cfloat>& values) const;

private:
    Index measured_count_;
    double kept_energy_ = 0;
    std::vector<cdouble> basis_;  ///< [measured coil, virtual coil], orthonormal columns
};

}  // namespace recon
