#include "app/reconstruction/check/left_out_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/mri/check/spikes.hpp"
#include "core/mri/check/unmeasured_samples.hpp"

namespace recon {
namespace {

UnmeasuredSamples found_in(const Scan& scan, Frame& frame) {
    const bool was_loaded = !frame.kspace.empty();
    frame.load();
    const UnmeasuredSamples found = find_unmeasured({scan, frame.kspace}, scan.samples_per_readout);
    if (!was_loaded) {
        frame.release();
    }
    return found;
}

}  // namespace

LeftOutSamples leave_out_unmeasured(Scan& scan) {
    const Index length = scan.samples_per_readout;
    LeftOutSamples result;
    std::vector<UnmeasuredSamples> of_frames{found_in(scan, scan.frames.front())};
    if (of_frames.front().is_empty()) {
        return result;
    }
    for (std::size_t i = 1; i < scan.frames.size(); ++i) {
        of_frames.push_back(found_in(scan, scan.frames[i]));
    }
    const auto least = [&](auto part) { return std::ranges::min(of_frames, {}, part).*part; };
    const Index before = least(&UnmeasuredSamples::before), after = least(&UnmeasuredSamples::after);
    const auto say = [&](const std::string& text) {
        log_warning("{}", text);
        result.texts.push_back(text);
    };
    if (before + after > 0) {
        const std::string ends = before == 0  ? fmt::format("last {}", after)
                                 : after == 0 ? fmt::format("first {}", before)
                                              : fmt::format("first {} and last {}", before, after);
        say(fmt::format("the {} of the {} samples of every readout are zero in all coils: not measured, and left out",
                        ends, length));
    }
    std::vector<std::vector<Index>> dropped;
    for (std::size_t i = 0; i < of_frames.size(); ++i) {
        UnmeasuredSamples& of_frame = of_frames[i];
        of_frame.before = before;
        of_frame.after = after;
        if (const auto& dead = of_frame.readouts; !dead.empty()) {
            say(fmt::format("{} of {} readouts{} are zero throughout: not measured, and left out ({})", dead.size(),
                            scan.frames[i].sample_count() / length,
                            of_frames.size() > 1 ? fmt::format(" of frame {}", i) : "", numbered("readout", dead)));
            result.dead_readouts += (result.dead_readouts.empty() ? "" : "; ") + result.texts.back();
        }
        dropped.push_back(of_frame.samples(scan.frames[i].sample_count(), length));
    }
    drop_samples(scan, dropped);
    scan.samples_per_readout = length - before - after;  // still one for all
    return result;
}

void add_findings(const LeftOutSamples& left_out, ScanCheck& check) {
    if (!left_out.dead_readouts.empty()) {
        check.findings.insert(check.findings.begin(), {"dead_readout", left_out.dead_readouts, ""});
        check.verdict = CheckVerdict::doubtful;
    }
}

}  // namespace recon
