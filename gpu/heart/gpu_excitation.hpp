#pragma once

#include "core/heart/excitation.hpp"

namespace recon {

/// Steps a sheet forward on a GPU: in its registers and shared memory from the first step to the last where the sheet
/// fits (resident_sheet.cu), else several steps for each pass over its memory (blocked_sheet.cu).
/// @throws UsageError if the tissue is not the same everywhere; BackendUnavailable if CUDA was not compiled in
std::unique_ptr<Excitation> make_cuda_excitation(Backend& gpu, const ExcitationSetup& setup);

}  // namespace recon
