#include "data/simulation/phantoms/tissue_texture.hpp"

#include <algorithm>
#include <cmath>

#include "data/simulation/phantoms/uniform.hpp"

namespace recon {
namespace {

constexpr double widest_sigma = 0.045;  // fields of view
constexpr int most_octaves = 5;
constexpr double coarsest_rms = 0.055;  // of the tissue's brightness
constexpr double rms_ratio = 0.8;       // from an octave to the next finer one
constexpr double blob_spacing = 2;      // standard deviations
/// Blobs of uniform amplitudes in [-1, 1], one in each cube of 2 sigma: variance pi^1.5 / (3 * 2^3).
constexpr double rms_of_unit_blobs = 0.482;
constexpr double seen_reach = 3.5;  // standard deviations, as far as GaussianBlobs see

/// Each kind of detail, and each octave, has numbers of its own: one more octave changes none of the others.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t stream) {
    return seed * 0x9e3779b97f4a7c15ULL + stream * 0xbf58476d1ce4e5b9ULL;
}

bool is_seen(const TextureSite& site, const PerAxis<double>& centre, double sigma) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        square += site.present[axis] ? 0 : std::pow((centre[axis] - site.section[axis]) / sigma, 2);
    }
    return square < seen_reach * seen_reach;
}

/// Least brightness at a place and at the six places two standard deviations away.
double least_brightness(const TextureSite& site, const PerAxis<double>& centre, double sigma) {
    double least = site.brightness(centre);
    for (int axis = 0; axis < 3; ++axis) {
        for (const double step : {-2 * sigma, 2 * sigma}) {
            PerAxis<double> place = centre;
            place[axis] += step;
            least = std::min(least, least > 0 ? site.brightness(place) : 0.0);
        }
    }
    return std::max(least, 0.0);
}

PerAxis<double> random_place(const TextureSite& site, Uniform& uniform) {
    PerAxis<double> place{};
    for (int axis = 0; axis < 3; ++axis) {
        place[axis] = uniform.between(-site.half_size[axis], site.half_size[axis]);
    }
    return place;
}

}  // namespace

std::vector<GaussianBlob> tissue_texture(const TextureSite& site) {
    std::vector<GaussianBlob> blobs;
    double sigma = widest_sigma, rms = coarsest_rms;
    for (int octave = 0; octave < most_octaves && sigma >= site.finest_sigma; ++octave) {
        Uniform uniform(seed_of(site.seed, octave));
        double cubes = 1;
        for (const double half : site.half_size) {
            cubes *= 2 * half / (blob_spacing * sigma);
        }
        const auto count = static_cast<Index>(cubes);
        for (Index i = 0; i < count; ++i) {
            const PerAxis<double> centre = random_place(site, uniform);
            const double share = uniform.between(-1, 1) * rms / rms_of_unit_blobs;
            if (!is_seen(site, centre, sigma)) {
                continue;
            }
            const double brightness = least_brightness(site, centre, sigma);
            if (brightness > 0) {
                blobs.push_back({centre, sigma, share * brightness});
            }
        }
        sigma /= 2;
        rms *= rms_ratio;
    }
    return blobs;
}

std::vector<GaussianBlob> fine_vessels(const TextureSite& site) {
    constexpr int vessel_count = 160;
    constexpr double true_sigma = 0.0035, longest = 0.3;           // fields of view
    constexpr double least_surroundings = 0.2;                     // darker is skull
    constexpr double step = 0.0035, largest_turn_per_step = 0.12;  // fields of view, radians
    const double sigma = std::max(true_sigma, site.finest_sigma);
    const double partial_volume = std::pow(true_sigma / sigma, 2);  // of a line, across it
    // Blobs a step apart along a line add up to sqrt(2 pi) sigma / step of one of them.
    const double blob_height = std::sqrt(partial_volume) * step / (std::sqrt(2 * pi) * sigma);
    std::vector<GaussianBlob> blobs;
    for (int vessel = 0; vessel < vessel_count; ++vessel) {
        Uniform uniform(seed_of(site.seed, 1000 + vessel));
        PerAxis<double> place = random_place(site, uniform);
        PerAxis<double> direction{uniform.between(-1, 1), uniform.between(-1, 1), uniform.between(-1, 1)};
        const double height = vessel % 3 == 2 ? uniform.between(-0.5, -0.3) : uniform.between(0.4, 0.9);
        const double length = uniform.between(0.3, 1) * longest;
        for (double travelled = 0; travelled < length; travelled += step) {
            if (least_brightness(site, place, sigma) < least_surroundings) {
                break;
            }
            if (is_seen(site, place, sigma)) {
                blobs.push_back({place, sigma, height * blob_height});
            }
            double norm = 0;
            for (double& component : direction) {
                component += uniform.between(-largest_turn_per_step, largest_turn_per_step);
                norm += component * component;
            }
            for (int axis = 0; axis < 3; ++axis) {
                direction[axis] /= std::sqrt(norm);
                place[axis] += step * direction[axis];
            }
        }
    }
    return blobs;
}

}  // namespace recon
