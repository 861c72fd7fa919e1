#include "data/formats/dicom/dicom_reader.hpp"
#include "data/formats/dicom/dicom_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

StoredImage read_dicom_image(const std::string& path, const std::string& series) {
    return {"", read_dicom(path, series), true};
}

const Registration registered_dicom(
    formats(), Format{.name = "dicom",
                      .title = "DICOM (a file, or the folder of a series)",
                      .recognises = looks_like_dicom,
                      .read_image = read_dicom_image,
                      .write_image = write_dicom,
                      .write_image_help = "Magnitude image as multi-frame DICOM (.dcm), placed in the patient",
                      .extensions = ".dcm",
                      .has_sidecar = true});

}  // namespace
}  // namespace recon
