// Resident: one launch for all steps. The sheet is divided among the multiprocessors, which keep their tiles in
// registers (R) and shared memory (E) from the first step to the last; every few steps a tile shows its rim to its
// eight neighbours and waits for theirs, and for nobody else. Lesson: a sheet of 1024 x 1024 cells fits into the
// registers and shared memories of a large GPU, and then memory is no bound at all.
#include "gpu/heart/sheets/resident_sheet.cuh"
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

std::unique_ptr<Excitation> make(const Devices& devices, const ExcitationSetup& setup) {
    return make_resident_sheet(*devices.gpus.front(), setup);
}

Step step(const std::string& id, Precision precision) {
    return {.id = id,
            .title = precision == Precision::single ? "Resident, single precision" : "Resident: one launch for all",
            .change = precision == Precision::single ? "half the registers, shared memory and exchanges; 1e-4 of error"
                                                     : "E and R stay in the multiprocessors, neighbours exchange rims",
            .bound = precision == Precision::single ? "shared memory" : "instructions in double precision",
            .precision = precision,
            .bytes_a_cell = 0,
            .make = make};
}

}  // namespace

Step resident_step() { return step("resident", Precision::double_); }
Step resident_single_step() { return step("resident-single", Precision::single); }

}  // namespace recon::heart
