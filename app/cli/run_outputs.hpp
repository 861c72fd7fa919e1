#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/pipeline/run_control.hpp"
#include "app/reconstruction/frame_result.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/image.hpp"

namespace recon {

/// What a run has made, for its files.
struct RunOutputs {
    const Image& image;
    const std::optional<Image>& baseline;
    const std::optional<Image>& reference;
    const std::vector<NamedArray>& extras;
};

/// Writes every file that the command line names: pictures, copies of the image, the image with its record, the record,
/// the page.
/// @param record  gets the time of the writing. @throws InputError if a file cannot be written
void write_outputs(const ReconstructCommandLine& line, const RunOutputs& outputs, RunRecord& record,
                   RunControl& control, double seconds_before);

/// One image of the frames' voxels, which their results lose: a series is not held twice.
Image take_image(const Scan& scan, std::vector<FrameResult>& results, std::vector<cfloat> FrameResult::*voxels);

/// The results' extras, which they lose: of the only frame under their names, of several under frame_0, frame_1, ...
std::vector<NamedArray> take_extras(std::vector<FrameResult>& results);

/// What became of a run that failed, where a page was asked for. The failure itself is told in any case.
void write_failure_page(const ReconstructCommandLine& line, const std::string& error);

}  // namespace recon
