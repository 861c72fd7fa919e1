#include "app/reconstruction/check/left_out_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/mri/check/unmeasured_samples.hpp"

namespace recon {
namespace {

constexpr Index many_coils = 4;  ///< of which one is read for little

/// Whether a frame that is not in memory may hold any.
bool may_hold_any(const Scan& scan, const Frame& frame, bool first_does) {
    if (first_does || !frame.read_coils || scan.coil_count < many_coils) {
        return true;
    }
    return !find_unmeasured({frame.read_coils({0, 1}), 1}, scan.samples_per_readout).is_empty();
}

UnmeasuredSamples found_in(const Scan& scan, Frame& frame, bool first_does) {
    const bool was_loaded = !frame.kspace.empty();
    if (!was_loaded && !may_hold_any(scan, frame, first_does)) {
        return {};
    }
    frame.load();
    const UnmeasuredSamples found = find_unmeasured({scan, frame.kspace}, scan.samples_per_readout);
    if (!was_loaded) {
        frame.release();
    }
    return found;
}

std::string ends_text(const UnmeasuredSamples& of_all) {
    return of_all.before == 0  ? fmt::format("last {}", of_all.after)
           : of_all.after == 0 ? fmt::format("first {}", of_all.before)
                               : fmt::format("first {} and last {}", of_all.before, of_all.after);
}

/// Of samples, by their readouts where these have one length.
std::string places_text(const std::vector<Index>& samples, Index length) {
    if (length == 0) {
        return numbered("sample", samples);
    }
    std::vector<Index> readouts;
    for (const Index m : samples) {
        if (readouts.empty() || readouts.back() != m / length) {
            readouts.push_back(m / length);
        }
    }
    return numbered("readout", readouts) + fmt::format("; the first is sample {}", samples.front() % length);
}

}  // namespace

LeftOutSamples leave_out_unmeasured(Scan& scan) {
    const Index length = scan.samples_per_readout;
    LeftOutSamples result;
    std::vector<UnmeasuredSamples> of_frames;
    std::vector<Index> readouts;  // of each frame
    for (Frame& frame : scan.frames) {
        const bool first_does = !of_frames.empty() && !of_frames.front().is_empty();
        of_frames.push_back(found_in(scan, frame, first_does));
        readouts.push_back(length > 0 ? frame.sample_count() / length : 0);
    }
    if (std::ranges::all_of(of_frames, &UnmeasuredSamples::is_empty)) {
        return result;
    }
    drop_unmeasured(scan, of_frames);
    const auto say = [&](const std::string& text) {
        log_warning("{}", text);
        result.texts.push_back(text);
    };
    if (const UnmeasuredSamples& of_all = of_frames.front(); of_all.before + of_all.after > 0) {
        say(fmt::format("the {} of the {} samples of every readout are zero in all coils: not measured, and left out",
                        ends_text(of_all), length));
    }
    for (std::size_t i = 0; i < of_frames.size(); ++i) {
        const std::string of_frame = of_frames.size() > 1 ? fmt::format(" of frame {}", i) : "";
        if (const auto& dead = of_frames[i].readouts; !dead.empty()) {
            say(fmt::format("{} of {} readouts{} are zero throughout: not measured, and left out ({})", dead.size(),
                            readouts[i], of_frame, numbered("readout", dead)));
            result.dead_readouts += (result.dead_readouts.empty() ? "" : "; ") + result.texts.back();
        }
        if (const auto& elsewhere = of_frames[i].elsewhere; !elsewhere.empty()) {
            say(fmt::format("{} samples{} are zero in all coils: not measured, and left out ({})", elsewhere.size(),
                            of_frame, places_text(elsewhere, length)));
        }
    }
    return result;
}

void add_findings(const LeftOutSamples& left_out, ScanCheck& check) {
    if (!left_out.dead_readouts.empty()) {
        add_doubts({{"dead_readout", left_out.dead_readouts, ""}}, check);
    }
}

}  // namespace recon
