#include "data/formats/mrd/mrd_sorting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

struct OtherPurpose {
    ISMRMRD::ISMRMRD_AcquisitionFlags flag;
    const char* name;
};
constexpr std::array other_purposes{
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_NAVIGATION_DATA, "navigation"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_PHASECORR_DATA, "phase correction"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_HPFEEDBACK_DATA, "feedback"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_RTFEEDBACK_DATA, "real-time feedback"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_DUMMYSCAN_DATA, "dummy"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA, "surface coil correction"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_PHASE_STABILIZATION_REFERENCE, "phase stabilisation reference"},
    OtherPurpose{ISMRMRD::ISMRMRD_ACQ_IS_PHASE_STABILIZATION, "phase stabilisation"}};

/// Whether the lines for calibration of an encoding space are measured among those of the image.
bool calibrates_within(const ISMRMRD::IsmrmrdHeader& header, std::size_t encoding_space) {
    if (encoding_space >= header.encoding.size()) {
        return false;
    }
    const auto& parallel = header.encoding[encoding_space].parallelImaging;
    return parallel && parallel->calibrationMode &&
           (*parallel->calibrationMode == "embedded" || *parallel->calibrationMode == "interleaved");
}

bool is_calibration_alone(const Head& head) {
    return MrdAcquisitions::has_flag(head, ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION) &&
           !MrdAcquisitions::has_flag(head, ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
}

constexpr const char* separate_calibration = "parallel imaging calibration";

/// What an acquisition that makes no image is for; null if it makes one.
const char* other_purpose(const Head& head, bool calibration_is_within) {
    for (const OtherPurpose& purpose : other_purposes) {
        if (MrdAcquisitions::has_flag(head, purpose.flag)) {
            return purpose.name;
        }
    }
    return is_calibration_alone(head) && !calibration_is_within ? separate_calibration : nullptr;
}

std::vector<Index> channels_in_mask(const Head& head) {
    std::vector<Index> channels;
    for (Index word = 0; word < ISMRMRD::ISMRMRD_CHANNEL_MASKS; ++word) {
        for (Index bit = 0; bit < 64; ++bit) {
            if (((head.channel_mask[word] >> bit) & 1U) != 0) {
                channels.push_back(64 * word + bit);
            }
        }
    }
    return channels;
}

}  // namespace

FrameLabel label_of(const Head& head) {
    FrameLabel label;
    label.contrast = head.idx.contrast;
    label.repetition = head.idx.repetition;
    label.set = head.idx.set;
    label.slice = head.idx.slice;
    label.phase = head.idx.phase;
    return label;
}

MrdSorting sort_acquisitions(const std::vector<Head>& heads, const ISMRMRD::IsmrmrdHeader& header,
                             std::optional<Index> encoding_space, const std::string& where) {
    MrdSorting sorting;
    sorting.imaging.resize(heads.size());
    sorting.noise.resize(heads.size());
    std::map<std::string, Index> skipped;
    std::map<Index, Index> samples_in_space;
    Index calibration_within = 0;
    std::map<FrameLabel, std::vector<Index>> calibration;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const Head& head = heads[i];
        const bool within = calibrates_within(header, head.encoding_space_ref);
        if (MrdAcquisitions::has_flag(head, ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT)) {
            sorting.noise[i] = true;
        } else if (const char* purpose = other_purpose(head, within)) {
            ++skipped[purpose];
            if (purpose == separate_calibration) {
                calibration[label_of(head)].push_back(static_cast<Index>(i));
            }
        } else if (Index{head.discard_pre} + Index{head.discard_post} >= Index{head.number_of_samples}) {
            ++skipped["empty"];
        } else {
            sorting.imaging[i] = true;
            samples_in_space[head.encoding_space_ref] += head.number_of_samples;
            calibration_within += is_calibration_alone(head) ? 1 : 0;
        }
    }
    if (calibration_within > 0) {
        sorting.notes.push_back(fmt::format(
            "k-space of their frames as well, as the header says that they were measured among the others: {}",
            counted(calibration_within, "parallel imaging calibration acquisition")));
    }
    for (const auto& [purpose, count] : skipped) {
        if (purpose != separate_calibration) {  // the builder says what becomes of it
            sorting.notes.push_back(fmt::format("skipped {}", counted(count, purpose + std::string(" acquisition"))));
        }
    }
    if (samples_in_space.empty()) {
        throw InputError(fmt::format("{}: none of the {} acquisitions is for imaging", where, heads.size()));
    }

    const auto most = std::max_element(samples_in_space.begin(), samples_in_space.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    sorting.encoding_space = encoding_space.value_or(most->first);
    if (samples_in_space.count(sorting.encoding_space) == 0) {
        throw InputError(fmt::format("{}: no imaging acquisition belongs to encoding space {}; used are {} to {}",
                                     where, sorting.encoding_space, samples_in_space.begin()->first,
                                     samples_in_space.rbegin()->first));
    }
    Index other_space = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (sorting.imaging[i] && heads[i].encoding_space_ref != sorting.encoding_space) {
            sorting.imaging[i] = false;
            ++other_space;
        } else if (sorting.imaging[i]) {
            sorting.frames[label_of(heads[i])].push_back(static_cast<Index>(i));
        }
    }
    if (other_space > 0) {
        sorting.notes.push_back(fmt::format("took encoding space {} of {}; skipped {} of others",
                                            sorting.encoding_space, samples_in_space.size(),
                                            counted(other_space, "acquisition")));
    }
    for (const auto& [label, members] : calibration) {
        sorting.calibration.try_emplace(label.slice, members);
    }
    return sorting;
}

bool frames_alternate(const MrdSorting& sorting, const std::vector<FrameLabel>& frames) {
    for (std::size_t i = 1; i < frames.size(); ++i) {
        if (sorting.frames.at(frames[i]).front() < sorting.frames.at(frames[i - 1]).back()) {
            return true;
        }
    }
    return false;
}

MrdChannels::MrdChannels(const std::vector<Head>& heads, const std::vector<bool>& imaging, const std::string& where) {
    const auto first = static_cast<std::size_t>(std::find(imaging.begin(), imaging.end(), true) - imaging.begin());
    count_ = heads.at(first).active_channels;
    channels_ = channels_in_mask(heads[first]);
    by_mask_ = true;
    bool all_alike = true;
    std::size_t odd_one = first;
    std::set<Index> of_any;
    for (std::size_t i = first; i < heads.size(); ++i) {
        if (!imaging[i]) {
            continue;
        }
        const std::vector<Index> here = channels_in_mask(heads[i]);
        by_mask_ = by_mask_ && static_cast<Index>(here.size()) == Index{heads[i].active_channels};
        if (heads[i].active_channels != count_) {
            all_alike = false;
            odd_one = i;
        }
        of_any.insert(here.begin(), here.end());
        std::vector<Index> common;
        std::set_intersection(channels_.begin(), channels_.end(), here.begin(), here.end(), std::back_inserter(common));
        channels_ = common;
    }
    if (by_mask_) {
        count_ = static_cast<Index>(channels_.size());
        for (const Index channel : channels_) {
            of_any.erase(channel);
        }
        if (!of_any.empty()) {
            log_warning("{}: not all acquisitions have the channels {}: left out, {} are used", where,
                        fmt::join(of_any, ", "), count_);
        }
    } else if (!all_alike) {
        throw InputError(
            fmt::format("{}: acquisition {} has {} channels, but acquisition {} has {}, and their channel "
                        "masks do not say which",
                        where, odd_one, heads[odd_one].active_channels, first, count_));
    }
    if (count_ < 1) {
        throw InputError(fmt::format("{}: the imaging acquisitions have no channel in common", where));
    }
}

std::vector<Index> MrdChannels::positions(const Head& head) const {
    std::vector<Index> result;
    if (!by_mask_) {
        for (Index i = 0; i < count_ && head.active_channels == count_; ++i) {
            result.push_back(i);
        }
        return result;
    }
    const std::vector<Index> here = channels_in_mask(head);
    for (const Index channel : channels_) {
        const auto found = std::lower_bound(here.begin(), here.end(), channel);
        if (found == here.end() || *found != channel || found - here.begin() >= Index{head.active_channels}) {
            return {};
        }
        result.push_back(found - here.begin());
    }
    return result;
}

}  // namespace recon
