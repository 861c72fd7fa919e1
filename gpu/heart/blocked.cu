// Blocked in time: a block of threads reads a tile with a halo of h cells, makes h steps of it on its own, of which the
// halo is used up, and writes the tile. Memory is read and written once for h steps; the halo is computed twice.
// Lesson: what bounds a stencil is not what one step needs, but what one pass needs.
#include "gpu/heart/sheets/blocked_sheet.cuh"
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

template <int steps_a_pass>
std::unique_ptr<Excitation> make(const Devices& devices, const ExcitationSetup& setup) {
    return make_blocked_sheet(std::span(devices.gpus).first(1), setup, steps_a_pass);
}

template <int steps_a_pass, Precision precision>
Step step(const std::string& id) {
    return {.id = id,
            .title = std::to_string(steps_a_pass) + " steps for each pass over memory",
            .change = "a tile of 128 x 48 cells in shared memory and registers; its halo is computed twice",
            .bound = "instructions in double precision; memory for few steps a pass",
            .precision = precision,
            .bytes_a_cell = blocked_bytes_a_cell(steps_a_pass, precision),
            .make = make<steps_a_pass>};
}

}  // namespace

std::vector<Step> blocked_steps() {
    return {step<1, Precision::double_>("blocked-1"), step<2, Precision::double_>("blocked-2"),
            step<4, Precision::double_>("blocked-4"), step<6, Precision::double_>("blocked-6")};
}

Step blocked_single_step() { return step<4, Precision::single>("blocked-4-single"); }

}  // namespace recon::heart
