#include "app/reconstruction/coils/silent_coils.hpp"

#include <algorithm>
#include <set>

#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/check/dead_parts.hpp"

namespace recon {
namespace {

/// Whether channels may become mixtures of coils, in which one that is silent in a frame cannot be told any more.
bool may_be_mixed(const Scan& scan, const CoilOptions& options) {
    return !options.noise_covariance.empty() || (!scan.noise.empty() && options.prewhiten) ||
           options.compression.is_asked_for() ||
           (options.compression.automatic && scan.coil_count >= coils_worth_compressing);
}

struct CoilsOfZeros {
    std::vector<Index> throughout;
    bool in_some_frames = false;  ///< others, or these
};

/// Of the frames in memory, and of some that are not.
CoilsOfZeros coils_of_zeros_in_frames(Scan& scan, const CoilOptions& options) {
    constexpr std::size_t most_to_read = 8;
    CoilsOfZeros found{coils_of_zeros({scan, scan.frames.front().kspace})};
    if (found.throughout.empty() && !may_be_mixed(scan, options)) {
        return found;
    }
    const std::size_t step = std::max<std::size_t>(1, scan.frames.size() / most_to_read);
    for (std::size_t i = 1; i < scan.frames.size(); ++i) {
        Frame& frame = scan.frames[i];
        const bool on_demand = frame.kspace.empty();
        if (on_demand && i % step != 0) {
            continue;
        }
        frame.load();
        const std::vector<Index> of_frame = coils_of_zeros({scan, frame.kspace});
        if (on_demand) {
            frame.release();
        }
        found.in_some_frames = found.in_some_frames || of_frame != found.throughout;
        std::erase_if(found.throughout, [&](Index coil) { return !std::ranges::binary_search(of_frame, coil); });
    }
    return found;
}

}  // namespace

SilentCoils silent_coils(Scan& scan, const CoilOptions& options) {
    Frame& first = scan.frames.front();
    if (!first_frame_fits(scan)) {
        return {options.left_out};  // the plan of memory will refuse it
    }
    first.load();  // and stays there: it is the first to be reconstructed
    const auto [silent, some_fall_silent] = coils_of_zeros_in_frames(scan, options);
    if (static_cast<Index>(silent.size()) == scan.coil_count) {
        return {options.left_out};  // what needs signal will say so
    }
    std::set<Index> all(silent.begin(), silent.end());
    if (!silent.empty()) {
        log_warning("{} hold{} nothing but zeros, and {} left out", numbered("coil", silent),
                    silent.size() == 1 ? "s" : "", silent.size() == 1 ? "is" : "are");
    }
    if (!scan.coil_maps.empty()) {
        const std::vector<Index> unseen = coils_of_zeros({scan, scan.coil_maps});
        all.insert(unseen.begin(), unseen.end());
        if (!unseen.empty()) {
            log_warning("the map{} of {} {} zero throughout: left out", unseen.size() == 1 ? "" : "s",
                        numbered("coil", unseen), unseen.size() == 1 ? "is" : "are");
        }
    }
    all.insert(options.left_out.begin(), options.left_out.end());
    if (!options.left_out.empty()) {
        log_info("{} left out", numbered("coil", options.left_out));
    }
    return {{all.begin(), all.end()}, some_fall_silent};
}

}  // namespace recon
