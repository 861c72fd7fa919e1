#include "app/reconstruction/check/drift_finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/check/reading_judgement.hpp"
#include "core/base/log.hpp"
#include "core/mri/check/drifts.hpp"

namespace recon {
namespace {

/// The most that lies between two parts.
template <class Value>
double range_of_drifts(const std::vector<Drift>& drifts, const Value& value) {
    const auto [low, high] = std::ranges::minmax(drifts, {}, value);
    return value(high) - value(low);
}

/// Between two of them, at most half a turn.
double largest_turn(const std::vector<Drift>& drifts) {
    double largest = 0;
    for (const Drift& one : drifts) {
        for (const Drift& other : drifts) {
            largest = std::max(largest, std::abs(std::remainder(one.phase - other.phase, 2 * pi)));
        }
    }
    return largest;
}

/// What of place and phase is worth a word.
std::string movement_text(const std::vector<Drift>& drifts, const Geometry& geometry) {
    constexpr double voxels = 0.2, of_the_largest = 0.25, radians = 0.15;
    std::vector<std::string> words;
    PerAxis<double> moved_voxels{};
    for (int axis = 0; axis < 3; ++axis) {
        const double moved = range_of_drifts(drifts, [axis](const Drift& one) { return one.shift[axis]; });
        moved_voxels[axis] = moved * static_cast<double>(geometry.matrix_size[axis]);
    }
    const double least = std::max(voxels, of_the_largest * *std::ranges::max_element(moved_voxels));
    for (int axis = 0; axis < 3; ++axis) {
        if (moved_voxels[axis] > least) {
            const double voxel_mm = geometry.voxel_size_mm()[axis];  // 0 where unknown
            words.push_back(fmt::format("the object moved by {:.2g} {} along {}",
                                        moved_voxels[axis] * (voxel_mm > 0 ? voxel_mm : 1),
                                        voxel_mm > 0 ? "mm" : "voxels", "xyz"[axis]));
        }
    }
    if (const double turned = largest_turn(drifts); turned > radians) {
        words.push_back(fmt::format("its phase turned by {:.0f} degrees", 180 / pi * turned));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// What of the signal is.
std::string signal_text(const std::vector<Drift>& drifts) {
    constexpr double enough = 0.9;
    const double part = std::exp(-range_of_drifts(drifts, [](const Drift& one) { return one.log_gain; }));
    return part < enough ? fmt::format("its signal changed to {:.0f} %", 100 * part) : "";
}

/// Parts of the readouts brought together.
struct Mended {
    std::vector<Drift> drifts;
    LowResolutionFit fit;
};

/// The image of all lies between theirs, so that a round finds a part of what drifts.
Mended mended(const Scan& probe, DriftKind kind, LowResolutionFits& fits, const TimeLimit& limit) {
    constexpr int parts = 4, rounds = 10;
    Scan changed = probe;
    Frame& frame = changed.frames.front();
    Mended result{std::vector<Drift>(parts), {}};
    for (int round = 0; round < rounds && !limit.is_over(); ++round) {
        std::vector<cfloat> explained;
        fits.fit(changed, &explained);
        const std::vector<Drift> more =
            drifts_of_parts(*frame.trajectory, frame.kspace, explained, changed.samples_per_readout, parts, kind);
        take_back(more, *frame.trajectory, changed.samples_per_readout, frame.kspace);
        for (std::size_t part = 0; part < parts; ++part) {
            result.drifts[part].log_gain += more[part].log_gain;
            result.drifts[part].phase += more[part].phase;
            for (int axis = 0; axis < 3; ++axis) {
                result.drifts[part].shift[axis] += more[part].shift[axis];
            }
        }
    }
    result.fit = fits.fit(changed);
    return result;
}

}  // namespace

std::optional<CheckFinding> drift_finding(const CalibrationProbe& probe, const Geometry& geometry,
                                          LowResolutionFits& fits, const LowResolutionFit& as_it_is,
                                          bool maps_are_known, const TimeLimit& limit) {
    constexpr double clearly = 0.65, to_that_of_a_good_scan = 0.8;
    const double before = unexplained(as_it_is.residual, as_it_is.noise);
    constexpr Index fewest_readouts = 8;
    const Index readouts =
        probe.scan.frames.front().sample_count() / std::max<Index>(1, probe.scan.samples_per_readout);
    if (readouts < fewest_readouts) {
        return std::nullopt;
    }
    for (const DriftKind kind : {DriftKind::gain_and_phase, DriftKind::any}) {
        const auto [drifts, fit] = mended(probe.scan, kind, fits, limit);
        const std::string moved = movement_text(drifts, geometry), signal = signal_text(drifts);
        const std::string text = moved + (moved.empty() || signal.empty() ? "" : ", ") + signal;
        log_debug("check: residual {:.4f} where drifts are taken back ({})", fit.residual, text);
        const double left = unexplained(fit.residual, fit.noise);
        const bool is_good = left < explained_but_for(maps_are_known);
        if (!text.empty() && left < (is_good ? to_that_of_a_good_scan : clearly) * before) {
            const std::string found = fmt::format(
                "it looks as if between some quarters of the readouts {} (residual at low resolution {:.4f}, that "
                "taken back {:.4f}): the image is of all of them",
                text, as_it_is.residual, fit.residual);
            if (!moved.empty()) {
                return CheckFinding{"drift", found, ""};
            }
            log_info("check: {}", found);
            return CheckFinding{"cannot_tell", found, ""};
        }
    }
    return std::nullopt;
}

}  // namespace recon
