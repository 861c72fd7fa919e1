#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// How many virtual coils to keep; at most one of the two is set.
struct CoilCompressionOptions {
    Index coil_count = 0;  ///< so many; 0: by energy
    double energy = 0;     ///< as few as hold this part of the energy of k-space; 0: all coils as they are

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

/// Fewer, virtual coils by singular value decomposition of k-space [Buehrer 2007]: the projections on those directions
/// in coil space that hold most of its energy. Orthonormal, so that white noise stays white.
class CoilCompression {
public:
    /// @throws UsageError if there are fewer coils than asked for, InputError if k-space is zero
    CoilCompression(const CoilEnergy& energy, const CoilCompressionOptions& options);

    Index coil_count() const { return static_cast<Index>(basis_.size()) / measured_count_; }
    double kept_energy() const { return kept_energy_; }  ///< part of all, 0 to 1

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
