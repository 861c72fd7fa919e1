#pragma once

namespace recon::test {

/// Where this build's program and its sources lie. One file alone is compiled with them, so that a build elsewhere
/// shares the rest through a compiler cache.
const char* program_path();
/// What makes calls of the C library fail: tests/support/faults.
const char* fault_library_path();
/// Of a driver that loses its GPU: tests/support/faults.
const char* lost_gpu_folder();
const char* source_folder();
/// recon_core as an archive of objects.
const char* core_library();
/// Whether kernels are compiled for several levels of the processor.
bool has_cpu_levels();

}  // namespace recon::test
