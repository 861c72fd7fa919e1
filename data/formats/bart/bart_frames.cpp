#include "data/formats/bart/bart_frames.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/log.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

/// In the order of labels.
constexpr std::array<std::pair<std::size_t, Index FrameLabel::*>, 5> frame_dimensions{
    {{bart_echo, &FrameLabel::contrast},
     {bart_time, &FrameLabel::repetition},
     {bart_batch, &FrameLabel::set},
     {bart_slice, &FrameLabel::slice},
     {bart_time2, &FrameLabel::phase}}};

}  // namespace

bool tells_frames(std::size_t dimension) {
    return std::any_of(frame_dimensions.begin(), frame_dimensions.end(),
                       [&](const auto& entry) { return entry.first == dimension; });
}

Index BartFramePlace::block(const BartExtents& extents) const {
    Index block = 0, stride = 1;
    for (std::size_t i = bart_maps; i < bart_rank; ++i) {
        block += extents[i] == 1 ? 0 : stride * index[i];
        stride *= extents[i];
    }
    return block;
}

std::vector<BartFramePlace> bart_frame_places(const BartExtents& extents) {
    std::vector<BartFramePlace> places(1);
    for (const auto& [dimension, part] : frame_dimensions) {
        std::vector<BartFramePlace> more;
        for (const BartFramePlace& place : places) {
            for (Index i = 0; i < extents[dimension]; ++i) {
                more.push_back(place);
                more.back().label.*part = i;
                more.back().index[dimension] = i;
            }
        }
        places = std::move(more);
    }
    return places;
}

BartFrameOrder bart_frame_order(const std::vector<FrameLabel>& labels) {
    BartFrameOrder result;
    result.extents.fill(1);
    std::vector<BartFramePlace> places(labels.size());
    std::size_t filled = 1;
    for (const auto& [dimension, part] : frame_dimensions) {
        std::set<Index> values;
        for (const FrameLabel& label : labels) {
            values.insert(label.*part);
        }
        for (std::size_t i = 0; i < labels.size(); ++i) {
            places[i].index[dimension] = std::distance(values.begin(), values.find(labels[i].*part));
        }
        result.extents[dimension] = static_cast<Index>(values.size());
        filled *= values.size();
    }
    result.order.resize(labels.size());
    std::iota(result.order.begin(), result.order.end(), std::size_t{0});
    if (filled != labels.size() || std::set<FrameLabel>(labels.begin(), labels.end()).size() != labels.size()) {
        log_info("frames lie along BART's TIME, as {} do not fill its dimensions", summary_of(labels));
        result.extents.fill(1);
        result.extents[bart_time] = static_cast<Index>(labels.size());
        return result;
    }
    std::ranges::sort(result.order, {}, [&](std::size_t i) { return places[i].block(result.extents); });
    return result;
}

}  // namespace recon
