#pragma once

#include "core/heart/excitation.hpp"

namespace recon {

/// Steps a sheet forward on the CPU: a band of rows a thread, the cells of a row in the lanes of the vector unit, waves
/// of several steps through the cache. The same bytes on any number of threads.
/// @param thread_count 0 means as many as OpenMP has
std::unique_ptr<Excitation> make_cpu_excitation(const ExcitationSetup& setup, int thread_count = 0);

}  // namespace recon
