#include "tests/support/paths.hpp"

namespace recon::test {

const char* program_path() { return RECON_PROGRAM; }
const char* fault_library_path() { return RECON_FAULT_LIBRARY; }
const char* lost_gpu_folder() { return RECON_LOST_GPU_FOLDER; }
const char* source_folder() { return RECON_SOURCE_DIR; }
const char* core_library() { return RECON_CORE_LIBRARY; }
bool has_cpu_levels() { return RECON_HAS_CPU_LEVELS; }

}  // namespace recon::test
