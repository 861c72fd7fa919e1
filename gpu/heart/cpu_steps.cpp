#include "core/heart/cpu_excitation.hpp"
#include "gpu/heart/cpu_serial.hpp"

namespace recon::heart {
namespace {

Step cpu_simd_step() {
    return {.id = "cpu-simd",
            .title = "CPU, one thread, vectors",
            .change = "four or eight cells of a row at a time; waves of 16 steps through the cache",
            .bound = "divisions of vectors",
            .place = Place::cpu,
            .make = [](const Devices&, const ExcitationSetup& setup) { return make_cpu_excitation(setup, 1); }};
}

Step cpu_threads_step() {
    return {.id = "cpu-threads",
            .title = "CPU, all threads",
            .change = "a band of rows a thread, halos of up to 16 rows exchanged every 16 steps",
            .bound = "divisions of vectors; beside it the document's MPI program, 32 ranks in 8 x 4",
            .place = Place::cpu,
            .published = Published{448.854, 7.58, 0},
            .make = [](const Devices&, const ExcitationSetup& setup) { return make_cpu_excitation(setup); }};
}

Step cpu_single_step() {
    return {.id = "cpu-single",
            .title = "CPU, all threads, single precision",
            .change = "twice the cells in a vector",
            .bound = "divisions of vectors",
            .place = Place::cpu,
            .precision = Precision::single,
            .bytes_a_cell = excitation_bytes_a_cell / 2,
            .make = [](const Devices&, const ExcitationSetup& setup) { return make_cpu_excitation(setup); }};
}

}  // namespace

std::vector<Step> cpu_steps() {
    return {cpu_serial_step(), cpu_fused_step(), cpu_simd_step(), cpu_threads_step(), cpu_single_step()};
}

}  // namespace recon::heart
