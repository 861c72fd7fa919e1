#include "data/formats/mrd/mrd_header.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// The library reads -32 as 65504, and 65568 as 32.
void require_plain_matrix_sizes(const std::string& xml, const std::string& where) {
    constexpr std::string_view begin = "<matrixSize>", end = "</matrixSize>";
    for (std::size_t at = xml.find(begin); at != std::string::npos; at = xml.find(begin, at + 1)) {
        const std::string sizes = xml.substr(at, xml.find(end, at) - at);
        for (const char* axis : {"x", "y", "z"}) {
            const std::string tag = fmt::format("<{}>", axis);
            const std::size_t open = sizes.find(tag);
            if (open == std::string::npos) {
                continue;
            }
            const std::string text = sizes.substr(open + tag.size(), sizes.find('<', open + 1) - open - tag.size());
            char* rest = nullptr;
            const double size = std::strtod(text.c_str(), &rest);
            if (rest == text.c_str() || !(size >= 0 && size <= 65535)) {
                throw InputError(
                    fmt::format("{}: the MRD header says {} voxels along {}; expected 1 to 65535", where, text, axis));
            }
        }
    }
}

/// The number that was written, 2.89, rather than the float nearest to it, where it is a positive one.
std::optional<double> positive(float value) {
    return std::isfinite(value) && value > 0 ? std::optional(std::stod(fmt::format("{}", value))) : std::nullopt;
}

std::optional<double> first_of(const ISMRMRD::Optional<std::vector<float>>& list) {
    return list && !list->empty() ? positive((*list)[0]) : std::nullopt;
}

std::optional<double> in_seconds(std::optional<double> ms) { return ms ? std::optional(*ms / 1000) : std::nullopt; }

std::string text_or_none(const ISMRMRD::Optional<std::string>& text) { return text ? *text : std::string(); }

}  // namespace

ISMRMRD::IsmrmrdHeader parse_mrd_header(const std::string& xml, const std::string& where) {
    require_plain_matrix_sizes(xml, where);
    ISMRMRD::IsmrmrdHeader header;
    try {
        ISMRMRD::deserialize(xml.c_str(), header);
    } catch (const std::exception& error) {
        throw InputError(fmt::format("{}: the MRD header cannot be understood: {}", where, error.what()));
    }
    if (header.encoding.empty()) {
        throw InputError(fmt::format("{}: the MRD header describes no encoding", where));
    }
    return header;
}

std::optional<std::string> user_string(const ISMRMRD::IsmrmrdHeader& header, const std::string& name) {
    if (header.userParameters) {
        for (const ISMRMRD::UserParameterString& parameter : header.userParameters->userParameterString) {
            if (parameter.name == name) {
                return parameter.value;
            }
        }
    }
    return std::nullopt;
}

std::optional<double> echo_time_s(const ISMRMRD::IsmrmrdHeader& header, Index contrast) {
    if (!header.sequenceParameters || !header.sequenceParameters->TE || header.sequenceParameters->TE->empty()) {
        return std::nullopt;
    }
    const std::vector<float>& echo_times_ms = *header.sequenceParameters->TE;
    const std::size_t index =
        static_cast<std::size_t>(contrast) < echo_times_ms.size() ? static_cast<std::size_t>(contrast) : 0;
    if ((index == 0 && contrast > 0 && echo_times_ms.size() > 1) || !std::isfinite(echo_times_ms[index])) {
        return std::nullopt;
    }
    return echo_times_ms[index] / 1000.0;
}

Measurement measurement_of(const ISMRMRD::IsmrmrdHeader& header, const std::vector<Index>& contrasts) {
    Measurement measurement;
    if (header.experimentalConditions.H1resonanceFrequency_Hz > 0) {
        measurement.proton_frequency_hz = static_cast<double>(header.experimentalConditions.H1resonanceFrequency_Hz);
    }
    if (const auto& system = header.acquisitionSystemInformation) {
        if (system->systemFieldStrength_T) {
            measurement.field_strength_t = positive(*system->systemFieldStrength_T);
        }
        measurement.manufacturer = text_or_none(system->systemVendor);
        measurement.model = text_or_none(system->systemModel);
        measurement.institution = text_or_none(system->institutionName);
        measurement.station = text_or_none(system->stationName);
    }
    if (const auto& sequence = header.sequenceParameters) {
        measurement.repetition_time_s = in_seconds(first_of(sequence->TR));
        measurement.inversion_time_s = in_seconds(first_of(sequence->TI));
        measurement.flip_angle_deg = first_of(sequence->flipAngle_deg);
        measurement.sequence = text_or_none(sequence->sequence_type);
    }
    if (header.studyInformation) {
        measurement.study = text_or_none(header.studyInformation->studyInstanceUID);
    }
    if (header.measurementInformation) {
        measurement.protocol = text_or_none(header.measurementInformation->protocolName);
    }
    for (const Index contrast : contrasts) {
        const std::optional<double> echo_time = echo_time_s(header, contrast);
        if (!echo_time) {
            measurement.echo_times_s.clear();
            break;
        }
        measurement.echo_times_s.push_back(*echo_time);
    }
    return measurement;
}

Geometry encoded_geometry(const ISMRMRD::Encoding& encoding) {
    const auto& matrix = encoding.encodedSpace.matrixSize;
    const auto& extent = encoding.encodedSpace.fieldOfView_mm;
    Geometry geometry;
    geometry.matrix_size = {matrix.x, matrix.y, matrix.z};
    geometry.field_of_view_mm = {extent.x, extent.y, extent.z};
    return geometry;
}

}  // namespace recon
