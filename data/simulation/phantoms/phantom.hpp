#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/registry.hpp"
#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/phantoms/trigonometric_maps.hpp"

namespace recon {

/// Where and how finely a phantom is looked at.
struct PhantomSite {
    PerAxis<bool> present{};       ///< axes that the scan has; the others are cut at `section`
    PerAxis<double> section{};     ///< position of the cut, fields of view; read for absent axes alone
    PerAxis<double> voxel{};       ///< spacing of the scan's voxels, fields of view; read for present axes alone
    PerAxis<double> edge_sigma{};  ///< standard deviation of the Gaussian that rounds edges, fields of view; 0: sharp
    std::uint64_t seed = 1;        ///< of what is random in the object
};

/// An object whose values and whose Fourier transform are known everywhere. Lengths in fields of view, the origin at
/// the centre of the field of view.
class Phantom {
public:
    virtual ~Phantom() = default;

    /// The object at the grid's positions or, where its edges are sharp, its mean over each voxel (4 points an axis).
    /// @return [x y z]
    virtual std::vector<cfloat> values(const VoxelGrid& grid) const = 0;

    /// integral rho(r) S_c(r) exp(-i 2 pi k.r) dr at every sample, S_c the maps. Independent of the number of threads.
    /// @return [sample map]; F(0) is a volume in units of the field of view
    virtual std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const = 0;
};

/// A phantom that `simulate` offers by name.
struct PhantomKind {
    std::string_view name;
    std::string_view explanation;  ///< one line of help
    double edge_voxels = 0;        ///< standard deviation of the Gaussian that rounds edges unless asked for otherwise
    PerAxis<double> telling_section{};  ///< where absent axes cut it unless asked for otherwise, fields of view
    std::string_view last_contrast{};   ///< phantom that a series of its `first_contrast` ends with; empty: no series
    std::string_view first_contrast{};
    std::string_view proton_image{};  ///< phantom that shows the same object in a proton image; empty if there is none
    std::unique_ptr<Phantom> (*make)(const PhantomSite&) = nullptr;  ///< @throws InputError if no axis is present
};

/// All phantoms; each registers itself from its own file.
Registry<PhantomKind>& phantom_kinds();

}  // namespace recon
