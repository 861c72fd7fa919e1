#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/pipeline/run_control.hpp"
#include "app/reconstruction/frame_result.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/grids/margin.hpp"
#include "core/mri/image.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"

namespace recon {

/// What a run has made, for its files.
struct RunOutputs {
    Image& image;
    const std::optional<Image>& baseline;
    const std::optional<Image>& reference;
    const std::vector<NamedArray>& extras;
};

/// The field of view that an image is written of, and how much wider that is which is computed.
struct FieldInScan {
    Geometry geometry;
    Margin margin{};
};

/// Has the run write the image of a scan's only frame, and the maps that belong to it, as soon as they are known, where
/// `out` is a file with a record: the disk has them while they are judged.
/// @param scan, field, control, image_file  outlive the run; the file begins then
/// @param field  of the image, which the scan's may be wider than by a margin
void write_image_ahead(const ReconstructCommandLine& line, const Scan& scan, const FieldInScan& field,
                       RunControl& control, std::optional<ImageHdf5Writer>& image_file);

/// Writes every file that the command line names: pictures, copies of the image, the image with its record, the record,
/// the page.
/// @param record      gets the time of the writing
/// @param image_file  in which a part of it is written already; null: there is none
/// @throws InputError if a file cannot be written
void write_outputs(const ReconstructCommandLine& line, const RunOutputs& outputs, RunRecord& record,
                   RunControl& control, double seconds_before, ImageHdf5Writer* image_file);

/// Takes what lies beyond the field from all that a run has made.
void remove_margin(const FieldInScan& field, std::vector<FrameResult>& results);

/// One image of the frames' voxels, which their results lose: a series is not held twice.
Image take_image(const Scan& scan, std::vector<FrameResult>& results, std::vector<cfloat> FrameResult::*voxels);

/// The results' extras, which they lose: of the only frame under their names, of several under frame_0, frame_1, ...
std::vector<NamedArray> take_extras(std::vector<FrameResult>& results);

/// What became of a run that failed, where a page was asked for. The failure itself is told in any case.
void write_failure_page(const ReconstructCommandLine& line, const std::string& error);

}  // namespace recon
