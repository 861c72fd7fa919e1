#include "core/mri/check/image/residual_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/ordered_sum.hpp"
#include "core/base/quantile.hpp"

namespace recon {
namespace {

constexpr double stands_out = 9;
constexpr double fitting = 0.4;  ///< what is left of the data of coils that an image explains, noise included
constexpr std::size_t fewest_coils = 3, fewest_readouts = 8;
/// In good simulated scans without noise at most 0.06 (Cartesian lines at the edge of k-space, sharp object).
constexpr double least_of_coils = 0.05, least_of_readouts = 0.1;
/// The same of readouts at the rim: at most 0.18.
constexpr double least_of_rim = 0.3;

double sum(const std::vector<double>& values) {
    return ordered_sum(std::ssize(values), [&](Index i) { return values[static_cast<std::size_t>(i)]; });
}

/// What is expected to be left of each part, by what is left of most.
std::vector<double> expected(const std::vector<double>& left, const std::vector<double>& predicted) {
    const double floor = quantile(left, 0.25), middle = quantile(predicted, 0.5);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (predicted[i] >= middle && predicted[i] > 0) {
            ratios.push_back(std::max(0.0, left[i] - floor) / predicted[i]);
        }
    }
    const double error = ratios.empty() ? 0 : quantile(ratios, 0.5);
    std::vector<double> result;
    for (const double energy : predicted) {
        result.push_back(floor + error * energy);
    }
    return result;
}

/// Parts that leave far more than expected, and what is worth a word: without noise, what voxels of the image leave of
/// an object that has none differs from part to part.
/// @param fluctuation  relative, of a part's noise energy
/// @param least  in units of the mean amplitude of the parts' data
std::vector<Index> outliers(const std::vector<double>& left, const std::vector<double>& predicted, double fluctuation,
                            double least) {
    const std::vector<double> usual = expected(left, predicted);
    const double least_energy = least * least * (sum(left) + sum(predicted)) / static_cast<double>(left.size());
    std::vector<Index> found;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] > std::max(stands_out * (1 + 2 * fluctuation) * usual[i], least_energy)) {
            found.push_back(static_cast<Index>(i));
        }
    }
    return found;
}

std::vector<double> of_readouts(const std::vector<double>& of_samples, Index length) {
    std::vector<double> result(of_samples.size() / static_cast<std::size_t>(length));
#pragma omp parallel for schedule(static)
    for (std::size_t readout = 0; readout < result.size(); ++readout) {
        const auto first = of_samples.begin() + static_cast<Index>(readout) * length;
        result[readout] = std::accumulate(first, first + length, 0.0);
    }
    return result;
}

/// The samples of a readout that hold most of what is left of it, where they are few, and far above the signal: a
/// broken readout fails where its signal is.
std::vector<Index> spikes_of(const ResidualShares& shares, Index readout, Index length) {
    constexpr double most = 0.7, above_signal = 9;
    constexpr Index few = 3;
    const auto first = shares.of_samples.begin() + readout * length;
    const auto signal = shares.predicted_of_samples.begin() + readout * length;
    std::vector<Index> order(static_cast<std::size_t>(length));
    std::iota(order.begin(), order.end(), Index{0});
    const Index count = std::min(few, length);
    std::partial_sort(order.begin(), order.begin() + count, order.end(),
                      [&](Index a, Index b) { return first[a] > first[b]; });
    const double all = std::accumulate(first, first + length, 0.0);
    double sum = 0;
    for (Index i = 0; i < count; ++i) {
        const Index sample = order[static_cast<std::size_t>(i)];
        if (first[sample] < above_signal * signal[sample]) {
            return {};
        }
        sum += first[sample];
        if (sum > most * all && length > 4 * few) {
            order.resize(static_cast<std::size_t>(i + 1));
            std::sort(order.begin(), order.end());
            return order;
        }
    }
    return {};
}

void judge_whole(const ResidualShares& shares, const ResidualSite& site, std::vector<CheckFinding>& findings) {
    constexpr double bad = 0.5, clearly = 2;
    const double data = sum(shares.data_of_coils);
    const double residual = std::sqrt(sum(shares.of_coils) / data);
    const double numbers = static_cast<double>(shares.of_samples.size() * shares.of_coils.size());
    const double noise = site.noise_sigma * std::sqrt(numbers / data);
    if (residual > bad && residual > clearly * noise) {
        findings.push_back(
            {"residual",
             fmt::format("the image leaves {:.0f} % of the data{} unexplained, noise accounts for {:.0f} "
                         "%: trajectory, its unit, coil maps or the order of samples may be wrong "
                         "(recon check tries the usual mistakes)",
                         100 * residual, site.frame, 100 * noise),
             ""});
    }
}

void judge_coils(const ResidualShares& shares, const ResidualSite& site, std::vector<CheckFinding>& findings) {
    if (shares.of_coils.size() < fewest_coils) {
        return;
    }
    for (const Index coil : outliers(shares.of_coils, shares.predicted_of_coils, 0, least_of_coils)) {
        const auto c = static_cast<std::size_t>(coil);
        const Index number = site.coil_numbers.empty() ? coil : site.coil_numbers[c];
        if (shares.data_of_coils[c] == 0) {
            findings.push_back(
                {"residual_coil",
                 fmt::format("coil {}{} holds zeros alone (`drop_coils` {} leaves it out)", number, site.frame, number),
                 ""});
            continue;
        }
        // An image that the others do not fit either may be this coil's fault, or theirs.
        const double left_of_others = sum(shares.of_coils) - shares.of_coils[c];
        const bool others_fit =
            left_of_others < fitting * fitting * (sum(shares.data_of_coils) - shares.data_of_coils[c]);
        findings.push_back(
            {"residual_coil",
             fmt::format("coil {}{} does not fit the image: {:.0f} times the residual expected from the other coils "
                         "({:.0f} % of its data); a broken coil, a wrong map, or its noise ({})",
                         number, site.frame,
                         shares.of_coils[c] / expected(shares.of_coils, shares.predicted_of_coils)[c],
                         100 * std::sqrt(shares.of_coils[c] / shares.data_of_coils[c]),
                         others_fit ? fmt::format("`drop_coils` {} leaves it out", number)
                                    : "or that of others, which do not fit well either"),
             ""});
    }
}

void judge_readouts(const ResidualShares& shares, const ResidualSite& site, std::vector<CheckFinding>& findings) {
    const Index length = site.samples_per_readout;
    if (length == 0 || static_cast<Index>(shares.of_samples.size()) / length < static_cast<Index>(fewest_readouts)) {
        return;
    }
    const std::vector<double> left = of_readouts(shares.of_samples, length);
    const std::vector<double> predicted = of_readouts(shares.predicted_of_samples, length);
    const Index coil_count = site.virtual_coils > 0 ? site.virtual_coils : std::ssize(shares.of_coils);
    const double numbers = static_cast<double>(length) * static_cast<double>(coil_count);
    std::vector<Index> bad = outliers(left, predicted, 1 / std::sqrt(numbers), least_of_readouts);
    const std::vector<Index> very_bad = outliers(left, predicted, 1 / std::sqrt(numbers), least_of_rim);
    std::erase_if(bad, [&](Index readout) {
        return std::ranges::binary_search(site.rim_readouts, readout) && !std::ranges::binary_search(very_bad, readout);
    });
    std::vector<Index> whole;
    std::vector<std::string> spikes;
    for (const Index readout : bad) {
        const std::vector<Index> samples = spikes_of(shares, readout, length);
        if (samples.empty()) {
            whole.push_back(readout);
        } else {
            spikes.push_back(fmt::format("{} of readout {}", numbered("sample", samples), readout));
        }
    }
    if (!whole.empty()) {
        findings.push_back({"residual_readout",
                            fmt::format("{}{} {} not fit the image as the others do: broken, moved, or at other places "
                                        "of k-space than the trajectory says",
                                        numbered("readout", whole), site.frame, whole.size() == 1 ? "does" : "do"),
                            ""});
    }
    if (!spikes.empty()) {
        constexpr std::size_t most_named = 5;
        std::string named;
        for (std::size_t i = 0; i < std::min(spikes.size(), most_named); ++i) {
            named += (i > 0 ? "; " : "") + spikes[i];
        }
        if (spikes.size() > most_named) {
            named += fmt::format("; and {} readouts more", spikes.size() - most_named);
        }
        findings.push_back({"spike",
                            fmt::format("spikes at {}{} (`despike` leaves such samples out where they stand out of all "
                                        "around them)",
                                        named, site.frame),
                            ""});
    }
}

/// The mean of all readouts at each of their places.
std::vector<double> of_places(const std::vector<double>& of_samples, Index length) {
    std::vector<double> result(static_cast<std::size_t>(length));
    for (std::size_t m = 0; m < of_samples.size(); ++m) {
        result[m % result.size()] +=
            of_samples[m] * static_cast<double>(length) / static_cast<double>(of_samples.size());
    }
    return result;
}

/// How many places at the beginning, or of lists that are reversed at the end, are bad and end at once: what decays,
/// turns or moves fades from place to place.
/// @param parts  what is left of what is expected, [place]
Index ending_at_once(const std::vector<double>& parts, const std::vector<bool>& bad) {
    constexpr double at_once = 3;
    const Index count = std::ranges::find(bad, false) - bad.begin();
    const auto next = static_cast<std::size_t>(count);
    return count > 0 && next < parts.size() && parts[next - 1] > at_once * parts[next] ? count : 0;
}

/// Places that all readouts have in common, from one end on: of receivers that have not settled, or gates.
void judge_ends(const ResidualShares& shares, const ResidualSite& site, std::vector<CheckFinding>& findings) {
    constexpr Index most_of_readout = 8;
    const Index length = site.samples_per_readout;
    if (length < 2 * most_of_readout || std::ssize(shares.of_samples) / length < static_cast<Index>(fewest_readouts)) {
        return;
    }
    std::vector<double> parts = of_places(shares.of_samples, length);
    const std::vector<double> predicted = of_places(shares.predicted_of_samples, length);
    std::vector<bool> bad(parts.size());
    for (const Index place : outliers(parts, predicted, 0, least_of_coils)) {
        bad[static_cast<std::size_t>(place)] = !std::ranges::binary_search(site.rim_places, place);
    }
    const std::vector<double> usual = expected(parts, predicted);
    std::ranges::transform(parts, usual, parts.begin(), std::divides<>());
    for (const char* const end : {"first", "last"}) {
        const Index count = ending_at_once(parts, bad);
        if (count > 0 && count <= length / most_of_readout) {
            findings.push_back({"residual_place",
                                fmt::format("the {} {} of every readout{} not fit the image as the others do: of a "
                                            "receiver that has not settled, or of a gate; leave them out of the scan",
                                            end, count == 1 ? "sample" : fmt::format("{} samples", count),
                                            site.frame + (count == 1 ? " does" : " do")),
                                ""});
        }
        std::ranges::reverse(parts);
        std::reverse(bad.begin(), bad.end());
    }
}

}  // namespace

std::vector<CheckFinding> judge_residual(const ResidualShares& shares, const ResidualSite& site) {
    std::vector<CheckFinding> findings;
    const double of_all = sum(shares.of_coils) + sum(shares.predicted_of_coils) + sum(shares.of_samples) +
                          sum(shares.predicted_of_samples);
    if (!std::isfinite(of_all) || !(sum(shares.data_of_coils) > 0)) {
        return findings;
    }
    judge_whole(shares, site, findings);
    judge_coils(shares, site, findings);
    judge_readouts(shares, site, findings);
    judge_ends(shares, site, findings);
    return findings;
}

}  // namespace recon
