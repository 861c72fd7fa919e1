#pragma once

#include "core/base/types.hpp"
#include "data/formats/dicom/dicom_item.hpp"

namespace recon {

/// What DICOM requires of an Enhanced MR image beyond its numbers and places (PS3.3, A.36.2): archives refuse files
/// without. Of what is unknown it says so, in the standard's words for it.
void describe_formalities(const DicomItem& data);

/// By what frames are told apart, in the order in which they are stored: stack, time, slice.
void describe_dimensions(const DicomItem& data, const std::string& uid, bool is_series);

/// The same for one frame; `slice` and `time` are counted from 0.
void describe_place_in_stack(const DicomItem& frame, Index slice, Index time);

}  // namespace recon
