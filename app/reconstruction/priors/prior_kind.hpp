#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "app/reconstruction/priors/prior_images.hpp"
#include "core/backend/backend.hpp"
#include "core/base/registry.hpp"
#include "core/mri/scan.hpp"
#include "core/operators/linear_operator.hpp"
#include "core/operators/penalties/penalty.hpp"

namespace recon {

/// Where a prior is to be made, and what it may look at. All of it outlives what is made.
struct PriorSite {
    Backend& backend;
    Precision precision;
    Shape image_shape;              ///< [x y z]; for priors that are no squares [x y z frame] in a coupled series
    Geometry grid;                  ///< of the image, with the orientation of its frame
    std::span<const float> inside;  ///< [x y z] of 0 and 1, where a square may be other than 0; empty: everywhere
    const PriorImages& images;
    double edge_scale;  ///< as RegularisationOptions

    PerAxis<Index> matrix_size() const { return grid.matrix_size; }
};

/// A reference as a prior uses it, in host memory.
struct PlacedReference {
    std::vector<float> magnitudes;  ///< [x y z], on the reconstruction's grid
    std::vector<float> weights;     ///< [x y z axis], of the pairs of neighbours
    PerAxis<double> factors;        ///< of differences along x, y, z
    double noise = 0;               ///< standard deviation of its differences
    double edge_scale = 0;          ///< s
};

/// What a prior takes from the reference image, to be judged beside the image (prior_report.hpp).
struct ReferenceUse {
    MemoryClaim on_host;
    PlacedReference reference;
    std::shared_ptr<const LinearOperator> without;  ///< W that the prior would have without its reference
};

/// A term beside |E rho - d|^2: lambda Q(0) |W rho|^2, or 2 lambda Q(0) s f(Phi rho).
struct Prior {
    std::shared_ptr<const LinearOperator> transform = nullptr;    ///< W or Phi
    std::shared_ptr<const Penalty> penalty = nullptr;             ///< f; null: a square
    std::shared_ptr<const ReferenceUse> reference_use = nullptr;  ///< null: no reference
};

/// A kind of prior, as it registers itself from a file of its own:
///
///     const Registration registered_identity(prior_kinds(), PriorKind{.name = "identity", ...});
struct PriorKind {
    std::string_view name;  ///< as on the command line
    std::string_view help;  ///< a few words, such as "total variation"
    bool quadratic = true;
    bool couples_frames = false;   ///< the frames of a slice are solved for at once
    bool needs_reference = false;  ///< PriorImages::reference
    /// Called on a backend that does not compute as well, for the forecast of memory: lists on the host have one number
    /// there (Device::listed), and what else the host holds is booked (Device::claim_on_host).
    Prior (*make)(const PriorSite& site) = nullptr;
};

Registry<PriorKind>& prior_kinds();

/// "identity (Tikhonov), tv (total variation)": names and helps of the kinds that are squares, or of the others.
std::string prior_list(bool quadratic);

}  // namespace recon
