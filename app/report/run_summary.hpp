#pragma once

#include <string>

#include "data/files/run_record.hpp"

namespace recon {

/// "0.0331", and of a series of which frame that is: the largest residual of the data.
std::string data_residual_text(const RunRecord& record);

/// "; predicted error 3.5 %; the scan is doubtful, see the warnings": what a run has to say in its last line; of a
/// series the largest error. Empty: nothing is predicted and nothing doubted.
std::string summary_text(const RunRecord& record);

}  // namespace recon
