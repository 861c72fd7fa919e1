#include "app/reconstruction/check/delay_finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "app/reconstruction/check/positions/centre_delays.hpp"
#include "app/reconstruction/check/positions/fitted_delays.hpp"
#include "app/reconstruction/check/positions/wrong_first_samples.hpp"
#include "app/reconstruction/gradients/gradient_correction.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/check/coils/coil_noise.hpp"
#include "core/mri/coils/coil_compression.hpp"
#include "core/mri/gradients/centre_out_delays.hpp"
#include "core/mri/gradients/echo_delays.hpp"
#include "core/mri/gradients/readout_values.hpp"
#include "core/mri/gradients/ring.hpp"
#include "core/mri/gradients/straight_readouts.hpp"

namespace recon {
namespace {

Index axis_count(const Scan& scan) {
    return std::ranges::count_if(scan.geometry.matrix_size, [](Index size) { return size > 1; });
}

/// Of a plane.
DelayEstimate by_crossings(const Scan& scan, const Frame& frame) {
    const AllCoils kspace(scan, frame.kspace);
    std::vector<cfloat> gathered;
    if (scan.parts) {
        std::vector<Index> all(static_cast<std::size_t>(frame.sample_count()));
        std::iota(all.begin(), all.end(), 0);
        gathered = kspace.at(all);
    }
    return estimate_gradient_delays(*frame.trajectory,
                                    scan.parts ? std::span<const cfloat>(gathered) : std::span(frame.kspace),
                                    kspace.coil_count(), scan.samples_per_readout);
}

bool has_whole_readouts(const Scan& scan, const Frame& frame) {
    return scan.samples_per_readout > 0 && frame.sample_count() % scan.samples_per_readout == 0;
}

/// Readouts spread evenly over all of a frame. @throws InputError if they are not radial
struct SomeReadouts {
    std::vector<StraightReadout> readouts;
    std::vector<cfloat> kspace;  ///< [sample coil]
    Index coil_count = 1, samples_per_readout = 0;

    SomeReadouts(const Scan& scan, const Frame& frame) : samples_per_readout(scan.samples_per_readout) {
        if (!has_whole_readouts(scan, frame)) {
            throw InputError(
                "gradient delays can be estimated from readouts of equal length; give numbers with "
                "`gradient_delays`");
        }
        constexpr Index most = 300;
        Trajectory trajectory;
        std::vector<Index> samples;
        const Index length = scan.samples_per_readout, count = frame.sample_count() / length;
        const Index stride = std::max<Index>((count + most - 1) / most, 1);
        for (Index readout = 0; readout < count; readout += stride) {
            for (Index m = readout * length; m < (readout + 1) * length; ++m) {
                samples.push_back(m);
                for (int axis = 0; axis < 3; ++axis) {
                    trajectory.k[axis].push_back(frame.trajectory->k[axis][m]);
                }
            }
        }
        readouts = straight_readouts(trajectory, length);
        const AllCoils all(scan, frame.kspace);
        kspace = all.at(samples);
        coil_count = all.coil_count();
    }
};

/// How much the readouts differ where all of them cross, at the centre of k-space: the root mean square over that of
/// the values. Nothing where they pass beside it.
std::optional<double> disagreement_at_centre(const SomeReadouts& some) {
    constexpr double at_the_centre = 0.05;  // cycles per FOV
    if (std::ranges::any_of(some.readouts, [](const StraightReadout& readout) {
            return dot(readout.offset, readout.offset) > at_the_centre * at_the_centre;
        })) {
        return std::nullopt;
    }
    constexpr Index most_coils = 8;
    const ReadoutValues values(some.kspace, some.coil_count, some.samples_per_readout, most_coils);
    std::vector<cdouble> sum(values.coil_count());
    double energy = 0;
    for (const StraightReadout& readout : some.readouts) {
        const std::vector<cdouble> here = values.at(readout, 0, ReadoutValues::Slopes::no).values;
        for (std::size_t coil = 0; coil < here.size(); ++coil) {
            sum[coil] += here[coil];
            energy += std::norm(here[coil]);
        }
    }
    double common = 0;  // energy of the means
    for (const cdouble value : sum) {
        common += std::norm(value) / static_cast<double>(some.readouts.size());
    }
    return energy > 0 ? std::sqrt(std::max(0.0, 1 - common / energy)) : 0;
}

/// That of the most energy.
void mix_to_one_coil(Scan& probe) {
    std::vector<cfloat> kspace(probe.frames.front().kspace.begin(), probe.frames.front().kspace.end());
    CoilEnergy energy(probe.coil_count);
    energy.add(kspace);
    CoilCompression(energy, {.coil_count = 1}).apply(kspace);
    probe.frames.front().kspace = std::move(kspace);
    probe.coil_count = 1;
    probe.coil_maps.clear();
}

/// Of a volume.
DelayEstimate by_low_resolution(const Scan& scan, const Frame& frame, const SomeReadouts& some, Backend& backend) {
    const GradientDelays start =
        delays_of_echoes(some.readouts, some.kspace, some.coil_count, some.samples_per_readout);
    const CalibrationProbe probe = calibration_probe(scan, frame, ProbeCoils::strongest, {});
    Trajectory steps;
    for (const Index m : probe.samples) {
        const Index first = m - m % scan.samples_per_readout, last = first + scan.samples_per_readout - 1;
        for (int axis = 0; axis < 3; ++axis) {
            const std::vector<double>& k = frame.trajectory->k[axis];
            steps.k[axis].push_back((k[last] - k[first]) / static_cast<double>(scan.samples_per_readout - 1));
        }
    }
    Scan sharp = sharper(probe, scan);
    mix_to_one_coil(sharp);  // which needs no maps: those of misplaced samples are wrong as well
    const double sigma =
        coil_noise({scan, frame.kspace}, *frame.trajectory, scan.geometry.matrix_size, scan.samples_per_readout)
            .mean_sigma(probe.coils);
    constexpr double at_most = 0.99;  // of what is left, as fits follow noise
    const double noise = probe.gains.empty() ? LowResolutionFits(backend, sigma, FitDetail::sharp).fit(sharp).noise : 0;
    auto found = fit_gradient_delays(sharp, steps, start, backend);
    if (!found) {
        throw InputError(
            "gradient delays: the samples near the centre of k-space do not tell them; give numbers with "
            "`gradient_delays`");
    }
    const double of_noise = std::min(noise, at_most * found->disagreement_after);
    found->disagreement_before = unexplained(found->disagreement_before, of_noise);
    found->disagreement_after = unexplained(found->disagreement_after, of_noise);
    return *found;
}

constexpr double worth_a_word = 0.02;

/// Of readouts that leave the centre; nothing of others.
std::optional<CentreOutEstimate> found_at_centre(const Scan& scan, const Frame& frame) {
    const CentreOutReadouts readouts = readouts_from_centre(scan, frame);
    return readouts.length > 0 ? delays_from_centre(scan, frame, readouts) : std::nullopt;
}

/// Whether delays can be looked for without being asked for.
bool may_disagree(const Scan& scan) {
    return axis_count(scan) >= 2 &&
           std::ranges::all_of(scan.frames, [&](const Frame& one) { return has_whole_readouts(scan, one); });
}

/// Where delays explain what readouts disagree in.
/// @param at_centre  found_at_centre
std::optional<DelayEstimate> delays_that_explain(const Scan& scan, const Frame& frame, Backend& backend,
                                                 const std::optional<CentreOutEstimate>& at_centre) {
    const bool is_volume = axis_count(scan) == 3;
    if (at_centre) {
        return are_the_reason(at_centre->delays) ? std::optional(at_centre->delays) : std::nullopt;
    }
    try {
        DelayEstimate found;
        if (is_volume) {
            const SomeReadouts some(scan, frame);
            if (disagreement_at_centre(some).value_or(1) < worth_a_word) {
                return std::nullopt;
            }
            found = by_low_resolution(scan, frame, some, backend);
        } else {
            found = by_crossings(scan, frame);
        }
        // Of 70 good simulated slices with noise 0.98 or more is left where readouts differ by 2 %; of 70 with delays
        // of up to a sample half or less, but for two that differ by less than 4 %. Of volumes a hundredth is left, and
        // a third or less; of those whose signal dies away from readout to readout more, whatever the delays.
        const double explained = is_volume ? 0.35 : 0.5, most_left = is_volume ? 0.035 : 1;
        const bool is_so = found.disagreement_before >= worth_a_word && found.disagreement_after <= most_left &&
                           found.disagreement_after <= explained * found.disagreement_before;
        return is_so ? std::optional(found) : std::nullopt;
    } catch (const InputError&) {  // not radial, as most scans
        return std::nullopt;
    }
}

std::string evidence(const Scan& scan, const DelayEstimate& found) {
    const double before = 100 * found.disagreement_before, after = 100 * found.disagreement_after;
    const std::string late = fmt::format("if gradients come late by {} samples", found.delays.text());
    if (readouts_from_centre(scan, scan.frames.front()).length > 0) {
        return part_of_no_image(found.disagreement_before, found.disagreement_after) + " " + late;
    }
    if (axis_count(scan) == 3) {
        return fmt::format("an image of low resolution leaves {:.0f} % of the data, and {:.1f} % {}", before, after,
                           late);
    }
    return fmt::format("readouts differ by {:.0f} % where they cross, and by {:.1f} % {}", before, after, late);
}

}  // namespace

DelayEstimate estimate_delays(const Scan& scan, const Frame& frame, Backend& backend) {
    if (const CentreOutReadouts readouts = readouts_from_centre(scan, frame); readouts.length > 0) {
        if (const auto found = delays_from_centre(scan, frame, readouts)) {
            return found->delays;
        }
        throw InputError(
            "gradient delays: there are too few samples around the centre of k-space to tell them; give numbers with "
            "`gradient_delays`");
    }
    return axis_count(scan) == 3 ? by_low_resolution(scan, frame, SomeReadouts(scan, frame), backend)
                                 : by_crossings(scan, frame);
}

std::optional<CheckFinding> gradient_delay_finding(const Scan& scan, const Frame& frame, Backend& backend) {
    if (scan.parts || !may_disagree(scan)) {
        return std::nullopt;
    }
    const auto at_centre = found_at_centre(scan, frame);
    if (auto wrong = at_centre ? wrong_first_samples(*at_centre, "a reconstruction leaves them out") : std::nullopt) {
        return wrong;
    }
    const auto found = delays_that_explain(scan, frame, backend, at_centre);
    if (!found) {
        return std::nullopt;
    }
    return CheckFinding{"gradient_delays", evidence(scan, *found) + ": `gradient_delays` auto corrects that", ""};
}

CorrectedDelays correct_delays(Scan& scan, Mending which, Backend& backend, std::vector<std::string>& applied) {
    const Frame& first = scan.frames.front();
    CorrectedDelays result;
    if (which == Mending::asked) {
        result.estimate = estimate_delays(scan, first, backend);
    } else if (may_disagree(scan)) {
        const auto at_centre = found_at_centre(scan, first);
        if (auto wrong = at_centre ? wrong_first_samples(*at_centre, "left out (`no_mending`: not)") : std::nullopt) {
            applied.push_back(leave_out_first_samples(scan, *at_centre));
            result.findings.push_back(std::move(*wrong));
            return result;
        }
        result.estimate = delays_that_explain(scan, first, backend, at_centre);
    }
    if (!result.estimate) {
        return result;
    }
    const std::string text = evidence(scan, *result.estimate);
    move_by_delays(scan, result.estimate->delays);
    applied.push_back(fmt::format("positions moved by gradient delays: {} samples", result.estimate->delays.text()));
    if (which == Mending::asked) {
        log_info("gradient delays: {}", text);
    } else {
        result.findings = {{"gradient_delays", text + ": corrected (`no_mending`: not)", ""}};
    }
    return result;
}

}  // namespace recon
