#include "data/formats/mrd/mrd_completeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/median.hpp"
#include "core/base/number_text.hpp"
#include "data/formats/mrd/mrd_orientation.hpp"
#include "data/reading/scan/frame_labels.hpp"

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

/// Warns where one frame has acquisitions of several places: they would be added up in one image.
void compare_places(const std::vector<Head>& heads, const MrdSorting& sorting, std::vector<std::string>& warnings) {
    constexpr double apart_mm = 1;  // prospectively corrected motion is less from one readout to the next
    for (const auto& [label, members] : sorting.frames) {
        std::vector<PerAxis<double>> places;
        for (const Index i : members) {
            const auto lies = mrd_orientation(heads[static_cast<std::size_t>(i)]);
            if (lies && std::ranges::none_of(places, [&](const PerAxis<double>& place) {
                    return std::hypot(place[0] - lies->centre_mm[0], place[1] - lies->centre_mm[1],
                                      place[2] - lies->centre_mm[2]) < apart_mm;
                })) {
                places.push_back(lies->centre_mm);
            }
        }
        if (places.size() > 1) {
            warnings.push_back(fmt::format(
                "the acquisitions of {} lie in {} places and are added up in one image: are slices not numbered "
                "(idx.slice)?",
                text_of(label), places.size()));
            return;  // others likely alike
        }
    }
}

/// Warns of frames that have far fewer acquisitions than most.
void compare_frames(const MrdSorting& sorting, std::vector<std::string>& warnings) {
    constexpr double nearly_all = 0.9;
    std::vector<double> counts;
    for (const auto& [label, members] : sorting.frames) {
        counts.push_back(static_cast<double>(members.size()));
    }
    const double usual = counts.empty() ? 0 : median(counts);
    for (const auto& [label, members] : sorting.frames) {
        if (static_cast<double>(members.size()) < nearly_all * usual) {
            warnings.push_back(fmt::format("{} has {} acquisitions where others have {:.0f}: a part of it is missing",
                                           text_of(label), members.size(), usual));
        }
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
            "flagged as reversed: {}; samples are taken in the order of the trajectory that is stored with them",
            counted(reversed, "acquisition")));
    }
    if (averages > 0) {
        found.notes.push_back(fmt::format("averages, which count as further measurements of their frame: {}",
                                          counted(averages, "acquisition")));
    }
    if (!sorting.frames.empty()) {
        const auto first = static_cast<std::size_t>(sorting.frames.begin()->second.front());
        if (const std::string mistake = mistake_of_directions(heads[first]); !mistake.empty()) {
            found.warnings.push_back(mistake + " in the heads: the image gets no place in the patient");
        }
    }
    const ISMRMRD::EncodingLimits& limits = encoding.encodingLimits;
    using Counters = ISMRMRD::ISMRMRD_EncodingCounters;
    compare_steps(heads, sorting, "kspace_encode_step_1", &Counters::kspace_encode_step_1,
                  limits.kspace_encoding_step_1, found.warnings);
    compare_steps(heads, sorting, "kspace_encode_step_2", &Counters::kspace_encode_step_2,
                  limits.kspace_encoding_step_2, found.warnings);
    compare_steps(heads, sorting, "slice", &Counters::slice, limits.slice, found.warnings);
    compare_steps(heads, sorting, "repetition", &Counters::repetition, limits.repetition, found.warnings);
    compare_places(heads, sorting, found.warnings);
    compare_frames(sorting, found.warnings);
    return found;
}

}  // namespace recon
