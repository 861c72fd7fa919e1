#pragma once

#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "data/files/run_record.hpp"
#include "data/pictures/png_writer.hpp"

namespace recon {

/// What became of `--lambda auto`, for the record of the run and as a picture of its curves.
RunRecord lambda_record(const ChosenLambda& chosen);
Picture lambda_picture(const ChosenLambda& chosen);

}  // namespace recon
