#include "tests/support/paths.hpp"

namespace recon::test {

const char* program_path() { return RECON_PROGRAM; }
const char* fault_library_path() { return RECON_FAULT_LIBRARY; }
const char* source_folder() { return RECON_SOURCE_DIR; }

}  // namespace recon::test
