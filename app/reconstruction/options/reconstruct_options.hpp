#pragma once

#include <optional>

#include "app/reconstruction/options/coil_options.hpp"
#include "app/reconstruction/options/margin_options.hpp"
#include "app/reconstruction/options/regularisation_options.hpp"
#include "core/base/types.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"
#include "data/files/disk_cache.hpp"
#include "solver/admm.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

enum class SampleWeighting { none, density };
enum class VoxelBasis { point, box };
enum class StartImage { zero, gridded };
enum class PreconditionerKind { none, jacobi, circulant };

/// How sums with off-resonance are computed: by time segments, as few as --tol allows, or each exponential by itself.
enum class OffResonanceMethod { segments, exact };

/// What a field map says where it is 0, as beyond the object: that, or what continues it from inside; automatic: the
/// latter where the map jumps.
enum class FieldMapOutside { automatic, measured, extrapolate };
/// Whether spikes and noise of a map are smoothed where they matter; automatic: unless it is plain least squares that
/// was asked for, which has the model as it is given.
enum class FieldMapSmoothingUse { automatic, always, none };
enum class FieldMapCheck { yes, no };

/// What processes that a launcher has started divide between them; none: each is alone, and reconstructs everything.
enum class RankDivision { automatic, coils, frames, none, frames_and_coils };

struct OffResonanceOptions {
    bool correct = false;          ///< with the field map of the scan
    bool only_if_it_fits = false;  ///< as nobody has asked for it: not where the check finds that it is wrong
    OffResonanceMethod method = OffResonanceMethod::segments;
    FieldMapOutside outside = FieldMapOutside::automatic;
    FieldMapSmoothingUse smoothing = FieldMapSmoothingUse::automatic;
    FieldMapCheck check = FieldMapCheck::yes;  ///< of sign and unit, before the reconstruction
};

/// How a scan becomes an image; everything that changes the numbers is in here.
struct ReconstructOptions {
    CgOptions cg{.iterations = 30, .stop = 1e-6};
    std::optional<int> iterations_asked;  ///< for priors that find their own end: most iterations of a solve
    std::optional<double> stop_asked;     ///< likewise, the relative residual
    StartImage start = StartImage::zero;
    PreconditionerKind preconditioner = PreconditionerKind::none;
    RegularisationOptions regularisation;
    AdmmOptions admm;  ///< in the place of cg, with terms that are no squares
    SampleWeighting weighting = SampleWeighting::none;
    VoxelBasis voxel_basis = VoxelBasis::point;
    Precision precision = Precision::single;
    double tolerance = 0;               ///< relative error of the sums; 0: 1e-6 in single, 1e-12 in double precision
    bool tolerance_from_noise = false;  ///< where it is 0, `normal_tolerance` is chosen (app/reconstruction/tolerance)
    double normal_tolerance = 0;        ///< of what is computed beside noise; 0: as `tolerance`
    SumsMethod sums = SumsMethod::automatic;
    CoilOptions coils;
    MarginOptions margin;
    OffResonanceOptions off_resonance;
    bool baseline = false;
    bool measure_accuracy = true;
    DiskCacheOptions q_cache;  ///< off unless it names a folder
    RankDivision divide = RankDivision::automatic;

    /// Whether a circulant is made of Q.
    bool needs_circulant() const {
        return preconditioner == PreconditionerKind::circulant || regularisation.scan != ScanPrior::none;
    }
    /// Views of the scan's maps of a slice; empty unless off-resonance is to be corrected.
    OffResonanceMaps maps_to_correct(const Scan& scan, Index slice) const {
        return off_resonance.correct ? scan.off_resonance(slice) : OffResonanceMaps{};
    }
    SumsOptions sums_options() const {
        const double precision_default = precision == Precision::single ? 1e-6 : 1e-12;
        return {sums, tolerance > 0 ? tolerance : precision_default, precision};
    }
    /// As the noise allows: of the time segments of F^H F, and of sums that judge images.
    double tolerance_beside_noise() const { return normal_tolerance > 0 ? normal_tolerance : sums_options().tolerance; }
    /// Q is summed in double whatever the storage, so that the spectrum of the Toeplitz form is as good as its storage,
    /// and whatever the noise: its error is a part of the largest eigenvalue, that of the dense centre, and where
    /// samples leave gaps nothing but the prior holds against it.
    SumsOptions q_options() const { return {sums, sums_options().tolerance, Precision::double_}; }
};

}  // namespace recon
