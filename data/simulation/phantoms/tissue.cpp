#include <algorithm>
#include <cmath>

#include "data/simulation/phantoms/ellipsoid_object.hpp"
#include "data/simulation/phantoms/head_ellipsoids.hpp"
#include "data/simulation/phantoms/tissue_texture.hpp"

namespace recon {
namespace {

/// Blobs this wide, in voxels, have 9 % of their transform's height left at the edge of k-space: as fine as voxels
/// show.
constexpr double finest_voxels = 0.7;

/// A phase that varies smoothly over the head, and the magnitude with it a little:
///
///     P(r) = exp(i 2 pi p0.r) (c + i b sum_d cos(pi (r_d - s_d))),   |P| between about 0.85 and 1.15,
///
/// a tilted plane over which the phase turns by two or three radians, curved by what has half a cycle in the field of
/// view: few frequencies, so that the transform of object times P times coil stays short.
TrigonometricMaps smooth_phase(PerAxis<bool> present, const PerAxis<double>& section) {
    constexpr PerAxis<double> plane{0.42, -0.31, 0.25};  // cycles per field of view
    constexpr PerAxis<double> summit{0.12, -0.08, 0.05};
    constexpr double c = 0.85, b = 0.25;
    TrigonometricMaps solid{{plane}, 1, {c}};
    for (int axis = 0; axis < 3; ++axis) {
        for (const double half_cycle : {-0.5, 0.5}) {
            PerAxis<double> frequency = plane;
            frequency[axis] += half_cycle;
            solid.frequencies.push_back(frequency);
            solid.coefficients.push_back(cdouble(0, b / 2) * std::polar(1.0, -2 * pi * half_cycle * summit[axis]));
        }
    }
    // Along absent axes the exponentials are the numbers that they are at the cut.
    TrigonometricMaps cut = solid;
    for (std::size_t q = 0; q < cut.frequencies.size(); ++q) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!present[axis]) {
                cut.coefficients[q] *= std::polar(1.0, 2 * pi * cut.frequencies[q][axis] * section[axis]);
                cut.frequencies[q][axis] = 0;
            }
        }
    }
    return product(cut, constant_map());
}

TextureSite texture_site(const PhantomSite& site, const EllipsoidPhantom& head) {
    TextureSite texture;
    texture.brightness = [&head](const PerAxis<double>& position) { return head.value(position); };
    texture.half_size = {0.37, 0.46, 0.44};  // the scalp
    texture.present = site.present;
    texture.section = site.section;
    for (int axis = 0; axis < 3; ++axis) {
        texture.finest_sigma =
            std::max(texture.finest_sigma, site.present[axis] ? finest_voxels * site.voxel[axis] : 0);
    }
    texture.seed = site.seed;
    return texture;
}

std::vector<GaussianBlob> detail(const PhantomSite& site) {
    const EllipsoidPhantom head(brain_ellipsoids(), {true, true, true}, {}, {});
    const TextureSite texture = texture_site(site, head);
    std::vector<GaussianBlob> blobs = tissue_texture(texture);
    const std::vector<GaussianBlob> vessels = fine_vessels(texture);
    blobs.insert(blobs.end(), vessels.begin(), vessels.end());
    return blobs;
}

/// The brain with texture in every tissue and fine vessels, times a smooth phase.
class Tissue final : public Phantom {
public:
    explicit Tissue(const PhantomSite& site)
        : head_(brain_ellipsoids(), site),
          detail_(detail(site), site.present, site.section),
          phase_(smooth_phase(site.present, site.section)) {}

    std::vector<cfloat> values(const VoxelGrid& grid) const override {
        std::vector<cfloat> values = head_.values(grid);
        const std::vector<double> detail = detail_.values(grid);
        const std::vector<cdouble> phase = phase_.values(0, grid);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = cfloat((cdouble(values[i]) + detail[i]) * phase[i]);
        }
        return values;
    }

    std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const override {
        const TrigonometricMaps with_phase = product(maps, phase_);
        std::vector<cdouble> result = head_.transform(with_phase, trajectory);
        const std::vector<cdouble> detail = detail_.transform(with_phase, trajectory);
        std::transform(result.begin(), result.end(), detail.begin(), result.begin(), std::plus<>());
        return result;
    }

private:
    EllipsoidObject head_;
    GaussianBlobs detail_;
    TrigonometricMaps phase_;
};

std::unique_ptr<Phantom> make_tissue(const PhantomSite& site) { return std::make_unique<Tissue>(site); }

const Registration registered_tissue(
    phantom_kinds(), PhantomKind{.name = "tissue",
                                 .explanation = "the head with texture in every tissue, fine vessels and a phase",
                                 .edge_voxels = rounded_edge_voxels,
                                 .telling_section = telling_section_of_head,
                                 .make = make_tissue});

}  // namespace
}  // namespace recon
