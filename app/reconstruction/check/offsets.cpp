#include "app/reconstruction/check/offsets.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/check/receiver_offset.hpp"

namespace recon {

CheckFinding offset_finding(const std::vector<Index>& coils, const std::string& what_of_it) {
    return {
        "receiver_offset",
        fmt::format("{}: one number is added to every sample, an offset of the receiver (DC), which is a dot in the "
                    "middle of the image {}",
                    numbered("coil", coils), what_of_it),
        ""};
}

std::vector<CheckFinding> subtract_offsets(Scan& scan, Mending which, std::vector<std::string>& applied) {
    const Frame& first = scan.frames.front();
    const std::vector<Index> coils =
        coils_of(receiver_offsets({scan, first.kspace}, *first.trajectory, scan.geometry.matrix_size));
    const auto said = std::make_shared<std::vector<char>>(scan.frames.size(), 0);
    said->front() = 1;
    remove_receiver_offsets(scan, [said](Index frame, const std::vector<Index>& of_frame) {
        if (!std::exchange(said->at(static_cast<std::size_t>(frame)), 1)) {
            log_warning("frame {}: offset of the receiver subtracted from {}", frame,
                        counted(std::ssize(of_frame), "coil"));
        }
    });
    if (coils.empty()) {
        return {};
    }
    applied.push_back(fmt::format("offset of the receiver subtracted from {}", numbered("coil", coils)));
    if (which == Mending::asked) {
        log_warning("{}", applied.back());
        return {};
    }
    return {offset_finding(coils, "and subtracted (`no_mending`: not)")};
}

}  // namespace recon
