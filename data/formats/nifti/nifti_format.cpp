#include <algorithm>

#include "data/formats/nifti/nifti_reader.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

StoredImage read_nifti_image(const std::string& path, const std::string& dataset) {
    require_no_dataset(path, dataset, "a NIfTI file");
    Image image = read_nifti(path);
    const bool is_real = std::ranges::all_of(image.voxels, [](const cfloat& value) { return value.imag() == 0; });
    return {"", std::move(image), is_real};
}

void write_magnitudes(const Image& image, const std::string& path) { write_nifti(path, image); }

const Registration registered_nifti(formats(),
                                    Format{.name = "nifti",
                                           .title = "a NIfTI-1 file",
                                           .recognises = looks_like_nifti,
                                           .read_image = read_nifti_image,
                                           .write_image = write_magnitudes,
                                           .write_image_help = "Magnitude image as NIfTI-1 (.nii or .nii.gz)",
                                           .extensions = ".nii .nii.gz",
                                           .has_sidecar = true});

}  // namespace
}  // namespace recon
