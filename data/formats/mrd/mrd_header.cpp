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

Geometry encoded_geometry(const ISMRMRD::Encoding& encoding) {
    const auto& matrix = encoding.encodedSpace.matrixSize;
    const auto& extent = encoding.encodedSpace.fieldOfView_mm;
    Geometry geometry;
    geometry.matrix_size = {matrix.x, matrix.y, matrix.z};
    geometry.field_of_view_mm = {extent.x, extent.y, extent.z};
    return geometry;
}

}  // namespace recon
