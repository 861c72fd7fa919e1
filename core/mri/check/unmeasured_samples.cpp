#include "core/mri/check/unmeasured_samples.hpp"

#include <algorithm>
#include <iterator>

#include "core/mri/check/dead_parts.hpp"
#include "core/mri/check/dropped_samples.hpp"

namespace recon {
namespace {

/// Marks the first and the last place that holds anything, of each readout that does.
/// @param rims  [place], added to
template <class T>
void mark_rims(std::span<const T> values, Index length, std::vector<double>& rims) {
    const auto holds = [](const T& value) { return value != T(0); };
    for (auto first = values.begin(); values.end() - first >= length; first += length) {
        const auto end = first + length, begin = std::find_if(first, end, holds);
        if (begin != end) {
            const auto last =
                std::find_if(std::make_reverse_iterator(end), std::make_reverse_iterator(begin), holds).base() - 1;
            rims[static_cast<std::size_t>(begin - first)] += 1;
            rims[static_cast<std::size_t>(last - first)] += 1;
        }
    }
}

void take_ends(const std::vector<double>& rims, UnmeasuredSamples& found) {
    const auto is_rim = [](double count) { return count > 0; };
    const auto first = std::ranges::find_if(rims, is_rim);
    if (first != rims.end()) {
        found.before = first - rims.begin();
        found.after = std::find_if(rims.rbegin(), rims.rend(), is_rim) - rims.rbegin();
    }
}

std::vector<Index> samples_of(const UnmeasuredSamples& left_out, Index sample_count, Index length) {
    std::vector<Index> samples;
    for (Index first = 0; first < sample_count; first += length) {
        const bool is_dead = std::ranges::binary_search(left_out.readouts, first / length);
        for (Index place = 0; place < length; ++place) {
            if (is_dead || place < left_out.before || place >= length - left_out.after) {
                samples.push_back(first + place);
            }
        }
    }
    return samples;
}

}  // namespace

UnmeasuredSamples find_unmeasured(const AllCoils& kspace, Index length) {
    UnmeasuredSamples found;
    if (length > 0) {
        found.readouts = readouts_of_zeros(kspace, length);
        std::vector<double> rims(static_cast<std::size_t>(length), 0.0);
        for (Index coil = kspace.here().first; coil < kspace.here().first + kspace.here().count; ++coil) {
            mark_rims(kspace.coil(coil), length, rims);
        }
        kspace.sum(rims);
        take_ends(rims, found);
    }
    return found;
}

UnmeasuredSamples find_unweighted(std::span<const float> weights, Index length) {
    UnmeasuredSamples found;
    if (length > 0 && !weights.empty()) {
        for (Index readout = 0; readout < std::ssize(weights) / length; ++readout) {
            const auto values =
                weights.subspan(static_cast<std::size_t>(readout * length), static_cast<std::size_t>(length));
            if (std::ranges::all_of(values, [](float weight) { return weight == 0; })) {
                found.readouts.push_back(readout);
            }
        }
        std::vector<double> rims(static_cast<std::size_t>(length), 0.0);
        mark_rims(weights, length, rims);
        take_ends(rims, found);
    }
    return found;
}

void drop_unmeasured(Scan& scan, std::vector<UnmeasuredSamples>& of_frames) {
    const Index length = scan.samples_per_readout;
    const Index before = std::ranges::min(of_frames, {}, &UnmeasuredSamples::before).before;
    const Index after = std::ranges::min(of_frames, {}, &UnmeasuredSamples::after).after;
    std::vector<std::vector<Index>> dropped(of_frames.size());
    for (std::size_t i = 0; i < of_frames.size(); ++i) {
        of_frames[i].before = before;
        of_frames[i].after = after;
        if (!of_frames[i].is_empty()) {
            dropped[i] = samples_of(of_frames[i], scan.frames[i].sample_count(), length);
        }
    }
    drop_samples(scan, dropped);
    scan.samples_per_readout = length - before - after;
}

}  // namespace recon
