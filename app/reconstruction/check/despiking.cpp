#include "app/reconstruction/check/despiking.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/base/log.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/check/dropped_samples.hpp"
#include "core/mri/check/spikes.hpp"

namespace recon {
namespace {

std::string place_of(Index sample, Index length) {
    return length > 0 ? fmt::format("readout {}, sample {}", sample / length, sample % length)
                      : fmt::format("sample {}", sample);
}

}  // namespace

CheckFinding spike_finding(const Scan& scan, std::size_t number, const std::vector<Index>& spikes,
                           const std::string& what_of_them) {
    const std::string of_frame = scan.frames.size() > 1 ? fmt::format(" of frame {}", number) : "";
    return {"spike",
            fmt::format("{} of {} samples{} stand out of all around them, the first at {}: spikes {}", spikes.size(),
                        scan.frames[number].sample_count(), of_frame,
                        place_of(spikes.front(), scan.samples_per_readout), what_of_them),
            ""};
}

std::vector<CheckFinding> despike(Scan& scan, Mending which, std::vector<std::string>& applied) {
    std::vector<std::vector<Index>> of_frames(scan.frames.size());
    std::vector<CheckFinding> findings;
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        Frame& frame = scan.frames[i];
        const bool was_loaded = !frame.kspace.empty();
        frame.load();
        std::vector<Index> spikes =
            find_spikes({scan, frame.kspace}, *frame.trajectory, scan.geometry.matrix_size, scan.samples_per_readout);
        if (!was_loaded && scan.frames.size() > 1) {
            frame.release();
        }
        if (spikes.empty()) {
            continue;
        }
        applied.push_back(fmt::format("despike: {} of {} samples of frame {} left out ({})", spikes.size(),
                                      frame.sample_count(), i, numbered("sample", spikes)));
        if (which == Mending::asked) {
            log_warning("{}", applied.back());
        } else {
            findings.push_back(spike_finding(scan, i, spikes, "and left out (`no_mending`: not)"));
        }
        of_frames[i] = std::move(spikes);
    }
    drop_samples(scan, of_frames);
    return findings;
}

}  // namespace recon
