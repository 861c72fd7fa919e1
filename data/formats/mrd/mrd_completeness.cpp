#include "data/formats/mrd/mrd_completeness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;
using Counter = std::uint16_t ISMRMRD::ISMRMRD_EncodingCounters::*;

/// Warns where the last step that any frame has is far from the last that the header announces: scans end early.
void compare_steps(const std::vector<Head>& heads, const MrdSorting& sorting, const char* name, Counter counter,
                   const ISMRMRD::Optional<ISMRMRD::Limit>& limit, std::vector<std::string>& warnings) {
    constexpr double nearly_all = 0.9;  // undersampled scans leave out some at the end
    if (!limit) {
        return;
    }
    Index last = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (sorting.imaging[i]) {
            last = std::max<Index>(last, heads[i].idx.*counter);
        }
    }
    const Index announced = limit->maximum;
    if (last > 0 && static_cast<double>(last + 1) < nearly_all * static_cast<double>(announced + 1)) {
        warnings.push_back(fmt::format("{} ends at {}, the header announces {}: a part of the scan is missing", name,
                                       last, announced));
    }
}

}  // namespace

MrdCompleteness completeness_of(const std::vector<Head>& heads, const MrdSorting& sorting,
                                const ISMRMRD::Encoding& encoding) {
    MrdCompleteness found;
    Index reversed = 0, averages = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (sorting.imaging[i]) {
            const bool own_trajectory = heads[i].trajectory_dimensions > 0;
            reversed += own_trajectory && MrdAcquisitions::has_flag(heads[i], ISMRMRD::ISMRMRD_ACQ_IS_REVERSE) ? 1 : 0;
            averages += heads[i].idx.average > 0 ? 1 : 0;
        }
    }
    if (reversed > 0) {
        found.notes.push_back(fmt::format(
            "{} acquisition(s) are flagged as reversed; their samples are taken in the order of the trajectory that is "
            "stored with them",
            reversed));
    }
    if (averages > 0) {
        found.notes.push_back(
            fmt::format("{} acquisition(s) are averages: they count as further measurements of their frame", averages));
    }
    const ISMRMRD::EncodingLimits& limits = encoding.encodingLimits;
    using Counters = ISMRMRD::ISMRMRD_EncodingCounters;
    compare_steps(heads, sorting, "kspace_encode_step_1", &Counters::kspace_encode_step_1,
                  limits.kspace_encoding_step_1, found.warnings);
    compare_steps(heads, sorting, "kspace_encode_step_2", &Counters::kspace_encode_step_2,
                  limits.kspace_encoding_step_2, found.warnings);
    return found;
}

}  // namespace recon
