#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/types.hpp"
#include "data/simulation/phantoms/gaussian_blobs.hpp"

namespace recon {

/// What random detail is strewn into: where the object is and how bright, and how much of it will be seen.
struct TextureSite {
    std::function<double(const PerAxis<double>&)> brightness;  ///< of the smooth object, 0 outside
    PerAxis<double> half_size;                                 ///< of a box about the centre that holds it
    PerAxis<bool> present{};
    PerAxis<double> section{};
    double finest_sigma = 0;  ///< nothing is narrower, fields of view
    std::uint64_t seed = 1;
};

/// Texture in every tissue: Gaussian blobs of either sign at random places, in octaves of width from 0.045 fields of
/// view down to the finest, about two on top of each other everywhere. Amplitudes are a part of the least brightness
/// within two standard deviations of the blob, so that texture stays within the tissue; coarse octaves are stronger
/// (rms 5.5 % of the tissue, 0.8 times that in each finer one), as in pictures of tissue, whose power falls with |k|.
/// The same blobs for the same seed, whichever axes are present; blobs that a cut misses are left out.
std::vector<GaussianBlob> tissue_texture(const TextureSite& site);

/// Fine vessels, bright (arteries) and dark (veins): chains of narrow blobs along paths that turn at random, through
/// tissue and fluid, up to 0.3 fields of view long. Where the finest width is above 0.0035 fields of view (0.8 mm of
/// 220) they are as much fainter as partial volume makes them.
std::vector<GaussianBlob> fine_vessels(const TextureSite& site);

}  // namespace recon
