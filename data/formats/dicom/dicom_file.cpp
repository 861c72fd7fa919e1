#include "data/formats/dicom/dicom_file.hpp"

#include <dcmtk/dcmdata/dcrledrg.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/parse_number.hpp"

namespace recon {
namespace {

/// Once: DCMTK tells of damage in its own words on stderr, and unpacks run lengths only if it is told to.
void prepare_dcmtk() {
    static const bool done = [] {
        OFLog::configure(OFLogger::OFF_LOG_LEVEL);
        DcmRLEDecoderRegistration::registerCodecs();
        return true;
    }();
    static_cast<void>(done);
}

std::string trimmed(std::string text) {
    constexpr const char* padding = " \t\r\n";
    const std::size_t first = text.find_first_not_of(padding);
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(padding) - first + 1);
}

/// Numbers that backslashes separate; none if one of them is no finite number.
std::vector<double> numbers_of(const std::string& text) {
    std::vector<double> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\\', begin), text.size());
        std::string one = trimmed(text.substr(begin, end - begin));
        one.erase(0, one.starts_with('+') ? 1 : 0);
        const std::optional<double> number = parse_number<double>(one);
        if (!number || !std::isfinite(*number)) {
            return {};
        }
        numbers.push_back(*number);
        begin = end + 1;
    }
    return numbers;
}

std::vector<double> numbers_of(DcmItem& item, const DcmTagKey& tag) {
    OFString text;
    return item.findAndGetOFStringArray(tag, text).good() ? numbers_of(text.c_str()) : std::vector<double>{};
}

}  // namespace

bool DicomFile::looks_like_one(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    constexpr std::streamoff preamble = 128;
    std::array<char, 4> magic{};
    return file.seekg(preamble) && file.read(magic.data(), magic.size()) && std::memcmp(magic.data(), "DICM", 4) == 0;
}

DicomFile::DicomFile(std::string path) : path_(std::move(path)), file_(std::make_unique<DcmFileFormat>()) {
    prepare_dcmtk();
    const OFCondition read = file_->loadFile(path_.c_str());
    if (read.bad()) {
        throw InputError(fmt::format("{}: is no sound DICOM file: {}", path_, read.text()));
    }
}

DcmDataset& DicomFile::data() const { return *file_->getDataset(); }

bool DicomFile::has_pixels() const { return data().tagExists(DCM_PixelData); }

std::string DicomFile::text(const DcmTagKey& tag) const {
    OFString found;
    return data().findAndGetOFStringArray(tag, found).good() ? trimmed(found.c_str()) : "";
}

Index DicomFile::count(const DcmTagKey& tag, Index otherwise) const {
    const std::vector<double> found = numbers_of(data(), tag);
    return found.empty() ? otherwise : static_cast<Index>(found.front());
}

Index DicomFile::frame_count() const {
    constexpr Index most = Index{1} << 31;
    const Index frames = count(DCM_NumberOfFrames, 1);
    if (frames < 1 || frames > most) {
        throw InputError(fmt::format("{}: has {} frames, expected 1 or more; the file is damaged", path_, frames));
    }
    return frames;
}

PerAxis<Index> DicomFile::matrix_size() const {
    const PerAxis<Index> size{count(DCM_Columns, 0), count(DCM_Rows, 0), 1};
    if (size[0] < 1 || size[1] < 1) {
        throw InputError(
            fmt::format("{}: has {} columns and {} rows, expected 1 or more of each", path_, size[0], size[1]));
    }
    return size;
}

std::vector<double> DicomFile::numbers(Index frame, const DcmTagKey& group, const DcmTagKey& tag) const {
    const std::array<std::pair<DcmTagKey, Index>, 2> places{
        {{DCM_PerFrameFunctionalGroupsSequence, frame}, {DCM_SharedFunctionalGroupsSequence, 0}}};
    for (const auto& [sequence, number] : places) {
        DcmItem *of_frame = nullptr, *item = nullptr;
        if (data().findAndGetSequenceItem(sequence, of_frame, static_cast<long>(number)).good() &&
            of_frame->findAndGetSequenceItem(group, item, 0).good()) {
            if (std::vector<double> found = numbers_of(*item, tag); !found.empty()) {
                return found;
            }
        }
    }
    return numbers_of(data(), tag);
}

std::vector<double> DicomFile::stored_values(Index bits, std::size_t how_many) const {
    DcmElement* element = nullptr;
    if (data().findAndGetElement(DCM_PixelData, element).bad()) {
        throw InputError(path_ + ": has no pixels");
    }
    const double bytes = static_cast<double>(how_many) * static_cast<double>(bits) / 8;
    if (element->getLength() < bytes) {
        throw InputError(fmt::format("{}: has {} bytes of pixels, expected {:.15g}; the file is truncated or damaged",
                                     path_, element->getLength(), bytes));
    }
    std::vector<double> values(how_many);
    Uint8* of_8 = nullptr;
    Uint16* of_16 = nullptr;
    const OFCondition read = bits == 8 ? element->getUint8Array(of_8) : element->getUint16Array(of_16);
    if (read.bad() || (of_8 == nullptr && of_16 == nullptr)) {
        throw InputError(fmt::format("{}: its pixels cannot be read: {}", path_, read.text()));
    }
    const Index most_significant = count(DCM_HighBit, bits - 1), stored = count(DCM_BitsStored, bits);
    if (stored < 1 || most_significant >= bits || most_significant + 1 < stored) {
        throw InputError(fmt::format("{}: has {} bits up to bit {} of {}; the file is damaged", path_, stored,
                                     most_significant, bits));
    }
    const bool is_signed = count(DCM_PixelRepresentation, 0) == 1;
    const std::int64_t range = std::int64_t{1} << stored;
    for (std::size_t i = 0; i < how_many; ++i) {
        const std::int64_t word = bits == 8    ? of_8[i]
                                  : bits == 16 ? of_16[i]
                                               : of_16[2 * i] + (std::int64_t{of_16[2 * i + 1]} << 16);
        const std::int64_t value = (word >> (most_significant + 1 - stored)) & (range - 1);
        values[i] = static_cast<double>(is_signed && value >= range / 2 ? value - range : value);
    }
    return values;
}

std::vector<float> DicomFile::values() const {
    if (text(DCM_ImageType).find("MOSAIC") != std::string::npos) {
        throw InputError(path_ + ": is a mosaic, all slices in one picture; convert it to NIfTI (dcm2niix)");
    }
    const Index bits = count(DCM_BitsAllocated, 0), colours = count(DCM_SamplesPerPixel, 1);
    if (colours != 1 || (bits != 8 && bits != 16 && bits != 32)) {
        throw InputError(
            fmt::format("{}: has {} values of {} bits a pixel, expected one of 8, 16 or 32", path_, colours, bits));
    }
    if (data().chooseRepresentation(EXS_LittleEndianExplicit, nullptr).bad()) {
        throw InputError(fmt::format("{}: is compressed ({}); unpack it (dcmdjpeg or gdcmconv does)", path_,
                                     DcmXfer(data().getOriginalXfer()).getXferName()));
    }
    const auto [columns, rows, ignored] = matrix_size();
    const auto of_frame = static_cast<std::size_t>(columns * rows);
    const Index frames = frame_count();
    const std::vector<double> stored = stored_values(bits, of_frame * static_cast<std::size_t>(frames));
    std::vector<float> values(stored.size());
    for (Index frame = 0; frame < frames; ++frame) {
        const std::vector<double> slope = numbers(frame, DCM_PixelValueTransformationSequence, DCM_RescaleSlope);
        const std::vector<double> intercept =
            numbers(frame, DCM_PixelValueTransformationSequence, DCM_RescaleIntercept);
        const double factor = slope.empty() ? 1 : slope.front(), summand = intercept.empty() ? 0 : intercept.front();
        const std::size_t first = static_cast<std::size_t>(frame) * of_frame;
        for (std::size_t i = first; i < first + of_frame; ++i) {
            values[i] = static_cast<float>(factor * stored[i] + summand);
        }
    }
    return values;
}

}  // namespace recon
