#include "data/formats/dicom/dicom_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/slice_stack.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/content_hash.hpp"
#include "data/formats/dicom/dicom_formalities.hpp"
#include "data/formats/dicom/dicom_item.hpp"

namespace recon {
namespace {

constexpr double most_value = std::numeric_limits<std::uint16_t>::max();

/// An identifier made of a hash: "2.25." and a number of 128 bits (DICOM PS3.5, B.2).
std::string uid_of(const std::string& what, std::span<const std::byte> contents) {
    ContentHash hash;
    hash.add_bytes(std::as_bytes(std::span(what)));
    hash.add_bytes(contents);
    const std::string digest = text_of(hash.digest());  // hexadecimal
    __extension__ unsigned __int128 number = 0;
    for (const char digit : digest.substr(0, 32)) {
        number = 16 * number + static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    std::string decimal;
    for (; number > 0; number /= 10) {
        decimal.insert(decimal.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    }
    return "2.25." + (decimal.empty() ? "0" : decimal);
}

std::string uid_of(const std::string& what, const Image& image) {
    return uid_of(what, std::as_bytes(std::span(image.voxels)));
}

/// The same for all images of a study, where that is known.
std::string uid_of_study(const std::string& what, const Image& image) {
    return image.study.empty() ? uid_of(what, image) : uid_of(what, std::as_bytes(std::span(image.study)));
}

/// Decimal strings have 16 characters.
std::string decimal(double value) { return fmt::format("{:.9g}", std::abs(value) < 1e-9 ? 0.0 : value); }

std::string decimals(const PerAxis<double>& values) {
    return fmt::format("{}\\{}\\{}", decimal(values[0]), decimal(values[1]), decimal(values[2]));
}

PerAxis<double> moved(PerAxis<double> point, const PerAxis<double>& direction, double by_mm) {
    for (std::size_t i = 0; i < 3; ++i) {
        point[i] += by_mm * direction[i];
    }
    return point;
}

/// Centre of the first voxel of a slice: voxel (0, 0, slice), where the orientation has that of floor(N/2).
PerAxis<double> corner_mm(const Geometry& geometry, const Orientation& place, Index slice) {
    const PerAxis<double> voxel_mm = geometry.voxel_size_mm();
    const PerAxis<Index>& n = geometry.matrix_size;
    PerAxis<double> point = moved(place.centre_mm, place.x_direction, -static_cast<double>(n[0] / 2) * voxel_mm[0]);
    point = moved(point, place.y_direction, -static_cast<double>(n[1] / 2) * voxel_mm[1]);
    return moved(point, place.z_direction, static_cast<double>(slice - n[2] / 2) * voxel_mm[2]);
}

void describe(const DicomItem& data, const Image& image) {
    data.text(DCM_SOPClassUID, UID_EnhancedMRImageStorage);
    data.text(DCM_SOPInstanceUID, uid_of("instance", image));
    data.text(DCM_StudyInstanceUID, uid_of_study("study", image));
    data.text(DCM_SeriesInstanceUID, uid_of("series", image));
    data.text(DCM_FrameOfReferenceUID, uid_of_study("frame of reference", image));
    data.text(DCM_Modality, "MR");
    data.text(DCM_SeriesDescription, "recon: magnitude");
    data.text(DCM_SeriesNumber, "1");
    data.text(DCM_InstanceNumber, "1");
    for (const DcmTagKey& unknown :
         {DCM_PatientName, DCM_PatientID, DCM_PatientBirthDate, DCM_PatientSex, DCM_StudyDate, DCM_StudyTime,
          DCM_AccessionNumber, DCM_ReferringPhysicianName, DCM_StudyID, DCM_PositionReferenceIndicator}) {
        data.text(unknown, "");
    }
    data.text(DCM_BurnedInAnnotation, "NO");
    data.text(DCM_LossyImageCompression, "00");
    data.text(DCM_PresentationLUTShape, "IDENTITY");
    data.text(DCM_PhotometricInterpretation, "MONOCHROME2");
    data.count(DCM_SamplesPerPixel, 1);
    data.count(DCM_BitsAllocated, 16);
    data.count(DCM_BitsStored, 16);
    data.count(DCM_HighBit, 15);
    data.count(DCM_PixelRepresentation, 0);
    data.count(DCM_Rows, image.geometry.matrix_size[1]);
    data.count(DCM_Columns, image.geometry.matrix_size[0]);
}

/// What all slices have in common: the size of voxels and the scale of values.
/// @param thickness_mm  of a slice; neighbours may have a gap between them
void describe_shared(const DicomItem& data, const Geometry& geometry, double thickness_mm, double largest) {
    const DicomItem shared = data.below(DCM_SharedFunctionalGroupsSequence);
    const PerAxis<double> voxel_mm = geometry.voxel_size_mm();
    const auto known = [](double mm) { return mm > 0 ? mm : 1.0; };
    const DicomItem measures = shared.below(DCM_PixelMeasuresSequence);
    measures.text(DCM_PixelSpacing, decimal(known(voxel_mm[1])) + "\\" + decimal(known(voxel_mm[0])));  // rows first
    measures.text(DCM_SliceThickness, decimal(known(thickness_mm)));
    measures.text(DCM_SpacingBetweenSlices, decimal(known(voxel_mm[2])));
    const DicomItem scale = shared.below(DCM_PixelValueTransformationSequence);
    scale.text(DCM_RescaleIntercept, "0");
    scale.text(DCM_RescaleSlope, fmt::format("{:.9e}", largest > 0 ? largest / most_value : 1.0));
    scale.text(DCM_RescaleType, "US");
    const DicomItem window = shared.below(DCM_FrameVOILUTSequence);  // of rescaled values
    window.text(DCM_WindowCenter, decimal(largest / 2));
    window.text(DCM_WindowWidth, decimal(largest));
}

void describe_slice(const DicomItem& data, const Image& image, Index frame, Index slice, std::size_t number) {
    const DicomItem group = data.below(DCM_PerFrameFunctionalGroupsSequence, number);
    describe_place_in_stack(group, slice, frame);
    const std::optional<Orientation>& place = image.orientation(frame);
    if (place && is_usable(*place)) {
        group.below(DCM_PlanePositionSequence)
            .text(DCM_ImagePositionPatient, decimals(corner_mm(image.geometry, *place, slice)));
        group.below(DCM_PlaneOrientationSequence)
            .text(DCM_ImageOrientationPatient, decimals(place->x_direction) + "\\" + decimals(place->y_direction));
    }
}

}  // namespace

void write_dicom(const Image& frames, const std::string& path) {
    frames.require_consistent();
    const std::optional<Image> stacked = stack_slices(frames);
    const Image& image = stacked ? *stacked : frames;
    if (!image.orientation(0)) {
        log_warning("{}: the scan does not say where the image lies, and DICOM viewers may show it in any position",
                    path);
    }
    double largest = 0;
    for (const cfloat& voxel : image.voxels) {
        largest = std::max(largest, static_cast<double>(std::abs(voxel)));
    }
    std::vector<Uint16> pixels;
    for (const cfloat& voxel : image.voxels) {
        pixels.push_back(largest > 0 ? static_cast<Uint16>(std::lround(std::abs(voxel) / largest * most_value))
                                     : Uint16{0});
    }
    DcmFileFormat file;
    const DicomItem data(*file.getDataset(), path);
    describe(data, image);
    const double own_mm = frames.geometry.voxel_size_mm()[2];
    describe_shared(data, image.geometry, own_mm > 0 ? own_mm : image.geometry.voxel_size_mm()[2], largest);
    describe_formalities(data);
    describe_dimensions(data, uid_of("dimensions", image), image.frame_count() > 1);
    std::size_t number = 0;
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        for (Index slice = 0; slice < image.geometry.matrix_size[2]; ++slice) {
            describe_slice(data, image, frame, slice, number++);
        }
    }
    data.text(DCM_NumberOfFrames, std::to_string(number));
    data.pixels(pixels);
    AtomicOutput output(path);
    const OFCondition written = file.saveFile(output.temporary_path().c_str(), EXS_LittleEndianExplicit);
    if (written.bad()) {
        throw InputError(fmt::format("{}: writing DICOM failed: {}", path, written.text()));
    }
    output.commit();
}

}  // namespace recon
