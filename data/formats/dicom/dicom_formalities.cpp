#include "data/formats/dicom/dicom_formalities.hpp"

#include <array>

namespace recon {
namespace {

/// Derived: an original image must state how the scanner was set, which most scans do not tell.
constexpr const char* image_type = "DERIVED\\PRIMARY\\VOLUME\\NONE";

/// The same of the image and of each frame.
void describe_type(const DicomItem& item, const DcmTagKey& type) {
    item.text(type, image_type);
    item.text(DCM_PixelPresentation, "MONOCHROME");
    item.text(DCM_VolumetricProperties, "VOLUME");
    item.text(DCM_VolumeBasedCalculationTechnique, "NONE");
    item.text(DCM_ComplexImageComponent, "MAGNITUDE");
    item.text(DCM_AcquisitionContrast, "UNKNOWN");
}

}  // namespace

void describe_formalities(const DicomItem& data) {
    data.text(DCM_Manufacturer, "recon");
    data.text(DCM_ManufacturerModelName, "recon");
    data.text(DCM_DeviceSerialNumber, "0");
    data.text(DCM_SoftwareVersions, RECON_DICOM_SOFTWARE_VERSION);
    data.text(DCM_ContentQualification, "RESEARCH");
    // Must not be empty; the same image is the same bytes, whenever it is made.
    data.text(DCM_ContentDate, "19000101");
    data.text(DCM_ContentTime, "000000");
    data.text(DCM_PatientPosition, "");
    data.empty(DCM_AcquisitionContextSequence);
    describe_type(data, DCM_ImageType);

    const DicomItem shared = data.below(DCM_SharedFunctionalGroupsSequence);
    describe_type(shared.below(DCM_MRImageFrameTypeSequence), DCM_FrameType);
    const DicomItem anatomy = shared.below(DCM_FrameAnatomySequence);
    anatomy.text(DCM_FrameLaterality, "U");  // unpaired
    const DicomItem region = anatomy.below(DCM_AnatomicRegionSequence);
    region.text(DCM_CodeValue, "38266002");
    region.text(DCM_CodingSchemeDesignator, "SCT");
    region.text(DCM_CodeMeaning, "Entire body");
}

void describe_dimensions(const DicomItem& data, const std::string& uid, bool is_series) {
    data.below(DCM_DimensionOrganizationSequence).text(DCM_DimensionOrganizationUID, uid);
    data.text(DCM_DimensionOrganizationType, is_series ? "3D_TEMPORAL" : "3D");
    const std::array<DcmTagKey, 3> indices{DCM_StackID, DCM_TemporalPositionIndex, DCM_InStackPositionNumber};
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const DicomItem dimension = data.below(DCM_DimensionIndexSequence, i);
        dimension.text(DCM_DimensionOrganizationUID, uid);
        dimension.pointer(DCM_DimensionIndexPointer, indices[i]);
        dimension.pointer(DCM_FunctionalGroupPointer, DCM_FrameContentSequence);
    }
}

void describe_place_in_stack(const DicomItem& frame, Index slice, Index time) {
    const DicomItem content = frame.below(DCM_FrameContentSequence);
    const auto slice_number = static_cast<Uint32>(slice + 1);
    const auto time_number = static_cast<Uint32>(time + 1);
    content.text(DCM_StackID, "1");
    content.index(DCM_InStackPositionNumber, slice_number);
    content.index(DCM_TemporalPositionIndex, time_number);
    content.indices(DCM_DimensionIndexValues, {1, time_number, slice_number});
}

}  // namespace recon
