#include "core/mri/check/unmeasured_samples.hpp"

#include <algorithm>

#include "core/mri/check/dead_parts.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {
namespace {

/// Of each place in a readout, whether it is the first or the last of one that holds anything. [place]
std::vector<double> rims_of_readouts(const AllCoils& kspace, Index length) {
    std::vector<double> rims(static_cast<std::size_t>(length), 0.0);
    const auto holds = [](cfloat value) { return value != cfloat(0); };
    for (Index coil = kspace.here().first; coil < kspace.here().first + kspace.here().count; ++coil) {
        const std::span<const cfloat> values = kspace.coil(coil);
        for (auto first = values.begin(); values.end() - first >= length; first += length) {
            const auto begin = std::find_if(first, first + length, holds);
            if (begin != first + length) {
                const auto rest =
                    std::find_if(std::make_reverse_iterator(first + length), std::make_reverse_iterator(begin), holds);
                rims[static_cast<std::size_t>(begin - first)] = 1;
                rims[static_cast<std::size_t>(rest.base() - first - 1)] = 1;
            }
        }
    }
    kspace.sum(rims);
    return rims;
}

}  // namespace

std::vector<Index> UnmeasuredSamples::samples(Index sample_count, Index length) const {
    if (is_empty()) {
        return {};
    }
    return ordered_indices(sample_count, [&](Index m) {
        const Index place = m % length;
        return place < before || place >= length - after ||
               std::binary_search(readouts.begin(), readouts.end(), m / length);
    });
}

UnmeasuredSamples find_unmeasured(const AllCoils& kspace, Index length) {
    UnmeasuredSamples found;
    if (length <= 0) {
        return found;
    }
    found.readouts = readouts_of_zeros(kspace, length);
    const std::vector<double> rims = rims_of_readouts(kspace, length);
    const auto is_rim = [](double count) { return count > 0; };
    const auto first = std::find_if(rims.begin(), rims.end(), is_rim);
    if (first != rims.end()) {
        found.before = first - rims.begin();
        found.after = std::find_if(rims.rbegin(), rims.rend(), is_rim) - rims.rbegin();
    }
    return found;
}

}  // namespace recon
