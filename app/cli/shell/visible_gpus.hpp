#pragma once

#include <string>

namespace recon {

/// The driver of CUDA starts every GPU that it may see, for a fifth of a second each. Where only the first one is asked
/// for, no others are shown to it: CUDA_VISIBLE_DEVICES is set to the first of those that it names, or to 0. To be
/// called before anything of CUDA; GPUs keep their numbers.
/// @param device  as on the command line
void show_no_more_gpus_than_needed(const std::string& device);

}  // namespace recon
