#include "data/formats/dicom/dicom_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

/// Written alone: images of scanners are no input of a reconstruction.
bool is_none(const std::string&) { return false; }

const Registration registered_dicom(
    formats(), Format{.name = "dicom",
                      .title = "a DICOM file",
                      .recognises = is_none,
                      .write_image = write_dicom,
                      .write_image_help = "Magnitude image as multi-frame DICOM (.dcm), placed in the patient",
                      .extensions = ".dcm",
                      .has_sidecar = true});

}  // namespace
}  // namespace recon
