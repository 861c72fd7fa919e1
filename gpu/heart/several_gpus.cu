// Several GPUs: the sheet in strips of rows, one a GPU, each with 6 rows of its neighbours, which are enough for a pass
// of 6 steps. The tiles along the rims are stepped first; while their rows travel, the others are stepped. Lesson: what
// has to be waited for is begun first, and messages are few where a pass makes several steps.
#include "gpu/heart/sheets/blocked_sheet.cuh"
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

template <HaloCopies copies>
std::unique_ptr<Excitation> make(const Devices& devices, const ExcitationSetup& setup) {
    return make_blocked_sheet(devices.gpus, setup, best_steps_a_pass, copies);
}

template <HaloCopies copies>
Step step(const std::string& id, const std::string& title, const std::string& change) {
    return {.id = id,
            .title = title,
            .change = change,
            .bound = "instructions in double precision, of all GPUs",
            .place = Place::gpus,
            .bytes_a_cell = blocked_bytes_a_cell(best_steps_a_pass, Precision::double_),
            .make = make<copies>};
}

}  // namespace

std::vector<Step> several_gpus_steps() {
    return {step<HaloCopies::after_all>("several-gpus-serial", "All GPUs, copies after the steps",
                                        "a strip of rows a GPU, 6 rows of its neighbours for 6 steps a pass"),
            step<HaloCopies::overlapped>("several-gpus", "All GPUs, copies beside the steps",
                                         "rims first; their rows travel while the inner tiles are stepped")};
}

}  // namespace recon::heart
