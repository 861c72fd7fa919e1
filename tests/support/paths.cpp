#include "tests/support/paths.hpp"

namespace recon::test {

const char* program_path() { return RECON_PROGRAM; }
const char* source_folder() { return RECON_SOURCE_DIR; }

}  // namespace recon::test
