// Mirrors core/heart/cpu_excitation.cpp.
#include "gpu/heart/sheets/blocked_sheet.cuh"
#include "gpu/heart/sheets/device_sheet.cuh"
#include "gpu/heart/sheets/resident_sheet.cuh"

namespace recon {
namespace {

/// On one GPU, in its registers and shared memory from the first step to the last where the sheet fits, else several
/// steps for each pass over memory. Several GPUs are asked for by name, and then used, however small the sheet is.
std::unique_ptr<Excitation> make_cuda_excitation(std::span<Backend* const> gpus, const ExcitationSetup& setup) {
    const bool is_resident = gpus.size() == 1 && resident_obstacle(cuda_queue_of(*gpus.front()), setup).empty();
    return is_resident ? make_resident_sheet(*gpus.front(), setup) : make_blocked_sheet(gpus, setup, best_steps_a_pass);
}

const Registration cuda_excitation_registered(excitation_kinds(),
                                              ExcitationKind{.name = "cuda", .make = make_cuda_excitation});

}  // namespace
}  // namespace recon
