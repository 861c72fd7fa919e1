#include "app/report/largest_of_frames.hpp"

#include <fmt/format.h>

namespace recon {
namespace {

double number(const RunRecord& record, const char* name) {
    const auto found = record.find(name);
    return found != record.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace

LargestOfFrames::LargestOfFrames(const RunRecord& record, const char* name) : value(number(record, name)) {
    if (!record.contains("frames")) {
        return;
    }
    const RunRecord& frames = record["frames"];
    frame_count = frames.size();
    for (std::size_t i = 0; i < frame_count; ++i) {
        if (const double of_frame = number(frames[i], name); i == 0 || of_frame > value) {
            value = of_frame;
            frame = i;
        }
    }
}

std::string LargestOfFrames::of_frame() const {
    return frame_count > 1 ? fmt::format(" (frame {}, the largest of {})", frame, frame_count) : "";
}

}  // namespace recon
