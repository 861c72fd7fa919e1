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

/// Coils of the first frame that hold nothing but zeros, and, where they stay apart, nothing in some more frames
/// either.
std::vector<Index> coils_of_zeros_throughout(Scan& scan, const CoilOptions& options) {
    constexpr std::size_t most_frames = 8;
    std::vector<Index> silent = coils_of_zeros({scan, scan.frames.front().kspace});
    const std::size_t count = may_be_mixed(scan, options) ? 0 : std::min(scan.frames.size(), most_frames);
    for (std::size_t i = 1; i < count && !silent.empty(); ++i) {
        Frame& frame = scan.frames[i * scan.frames.size() / count];
        const bool on_demand = frame.kspace.empty();
        frame.load();
        const std::vector<Index> of_frame = coils_of_zeros({scan, frame.kspace});
        std::erase_if(silent, [&](Index coil) { return !std::ranges::binary_search(of_frame, coil); });
        if (on_demand) {
            frame.release();
        }
    }
    return silent;
}

}  // namespace

std::vector<Index> coils_to_leave_out(Scan& scan, const CoilOptions& options) {
    Frame& first = scan.frames.front();
    if (!first_frame_fits(scan)) {
        return options.left_out;  // the plan of memory will refuse it
    }
    first.load();  // and stays there: it is the first to be reconstructed
    const std::vector<Index> silent = coils_of_zeros_throughout(scan, options);
    if (static_cast<Index>(silent.size()) == scan.coil_count) {
        return options.left_out;  // what needs signal will say so
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
        log_info("{} left out, as asked for", numbered("coil", options.left_out));
    }
    return {all.begin(), all.end()};
}

}  // namespace recon
