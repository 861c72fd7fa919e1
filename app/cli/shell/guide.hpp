#pragma once

#include <string>

namespace recon {

/// The user guide where it is: of the installation that the program belongs to, or of the sources it was built in; the
/// manual's command where it is in neither.
std::string guide();

}  // namespace recon
