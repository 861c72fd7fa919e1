#pragma once

#include <any>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "app/pipeline/checkpoint/checkpoint.hpp"
#include "app/pipeline/stage.hpp"
#include "core/base/cancel.hpp"
#include "core/base/named_array.hpp"
#include "core/base/types.hpp"

namespace recon {

enum class Progress {
    live_line,   ///< one line on the terminal that is written over and over
    some_lines,  ///< of the log: of the iterations 1, 2, 5, 10, 20, 50 and so on
    all_lines,   ///< of the log, one for each iteration
    silent
};

enum class PartialImage {
    discard,
    keep  ///< a request to stop ends the solver after its iteration, and the image is as it is then
};

/// What a run has in common with whoever called for it, all of its ranks included: the request to stop, what is shown
/// meanwhile, and what the stages took.
struct RunControl {
    CancelSource cancel;
    Progress progress = Progress::silent;
    PartialImage partial = PartialImage::discard;
    std::shared_ptr<Checkpoint> checkpoint = nullptr;  ///< null: none is kept
    /// What rank 0 does with the image of a scan's only frame and the maps that belong to it as soon as they are known,
    /// before they are judged; null: nothing. The image is as it was when this returns.
    std::function<void(std::vector<cfloat>& image, std::span<const NamedArray> maps)> image_is_ready = nullptr;
    /// The same with the coil maps that were estimated for it, before anything is solved for; where coils were left
    /// out, whitened or compressed, there are none to show yet.
    std::function<void(const NamedArray& maps)> coil_maps_are_ready = nullptr;
    StageRecord stages;    ///< of rank 0
    std::any handed_over;  ///< by rank 0 to the others (Run::from_root)
};

}  // namespace recon
