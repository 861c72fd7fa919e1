#include "core/mri/check/unmeasured_samples.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/mri/check/dead_parts.hpp"
#include "core/mri/check/dropped_samples.hpp"
#include "core/parallel/ordered_indices.hpp"

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

/// Samples that are zero in all coils.
std::vector<Index> zeros_of(const AllCoils& kspace) {
    const Share& here = kspace.here();
    std::vector<Index> zeros = ordered_indices(kspace.length(), [&](Index m) {
        for (Index coil = here.first; coil < here.first + here.count; ++coil) {
            if (kspace.coil(coil)[static_cast<std::size_t>(m)] != cfloat(0)) {
                return false;
            }
        }
        return true;
    });
    std::vector<double> without(1, zeros.empty() ? 1.0 : 0.0);
    kspace.sum(without);
    if (without.front() > 0) {
        return {};
    }
    if (here.count < kspace.coil_count()) {
        std::vector<double> holders(static_cast<std::size_t>(kspace.length()), 1.0);
        for (const Index m : zeros) {
            holders[static_cast<std::size_t>(m)] = 0;
        }
        kspace.sum(holders);
        zeros = ordered_indices(kspace.length(), [&](Index m) { return holders[static_cast<std::size_t>(m)] == 0; });
    }
    return zeros;
}

bool is_at_ends(const UnmeasuredSamples& found, Index m, Index length) {
    return length > 0 && (std::ranges::binary_search(found.readouts, m / length) || m % length < found.before ||
                          m % length >= length - found.after);
}

/// Of these samples those in a row of so many that they hold `enough` numbers.
std::vector<Index> long_rows(const std::vector<Index>& samples, Index coil_count, Index length, double enough) {
    std::vector<Index> found;
    for (auto first = samples.begin(); first != samples.end();) {
        auto end = first + 1;
        while (end != samples.end() && *end == *(end - 1) + 1 && (length == 0 || *end % length != 0)) {
            ++end;
        }
        if (static_cast<double>((end - first) * coil_count) >= enough) {
            found.insert(found.end(), first, end);
        }
        first = end;
    }
    return found;
}

/// Zeros that are neither at the ends nor in readouts of zeros, in rows longer than chance makes them: where zero is a
/// number like others, as of small whole numbers, some coils are zero where others are not.
std::vector<Index> zeros_elsewhere(const AllCoils& kspace, Index length, const UnmeasuredSamples& found) {
    constexpr double fewest = 8, by_chance = 0.01, denser = 10, densest = 0.9;  // in places
    const std::vector<Index> all = zeros_of(kspace);
    std::vector<Index> zeros = all;
    std::erase_if(zeros, [&](Index m) { return is_at_ends(found, m, length); });
    if (zeros.empty()) {
        return {};
    }
    const Index alive = kspace.coil_count() - std::ssize(coils_of_zeros(kspace));
    const std::vector<Index> rows = long_rows(zeros, alive, length, fewest);
    const std::vector<double> of_coils = kspace.of_each([](std::span<const cfloat> coil) {
        const Index count = std::count(coil.begin(), coil.end(), cfloat(0));
        return count < std::ssize(coil) ? static_cast<double>(count) : 0.0;
    });
    const auto numbers = [&](Index samples) { return static_cast<double>(alive * samples); };
    const double others = std::accumulate(of_coils.begin(), of_coils.end(), 0.0) -
                          numbers(std::ssize(rows) + std::ssize(all) - std::ssize(zeros));
    const double part = std::min(densest, denser * others / numbers(kspace.length()));
    const double longest = part > 0 ? std::log(by_chance / numbers(kspace.length())) / std::log(part) : 0;
    return long_rows(rows, alive, length, std::max(fewest, longest));
}

std::vector<Index> samples_of(const UnmeasuredSamples& left_out, Index sample_count, Index length) {
    std::vector<Index> samples;
    for (Index m = 0; m < sample_count; ++m) {
        if (is_at_ends(left_out, m, length) || std::ranges::binary_search(left_out.elsewhere, m)) {
            samples.push_back(m);
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
    found.elsewhere = zeros_elsewhere(kspace, length, found);
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
    if (std::ranges::all_of(of_frames, [](const UnmeasuredSamples& found) { return found.elsewhere.empty(); })) {
        scan.samples_per_readout = length - before - after;
    }
}

}  // namespace recon
