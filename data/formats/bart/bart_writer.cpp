#include "data/formats/bart/bart_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/bart/bart_file.hpp"
#include "data/formats/bart/bart_frames.hpp"
#include "data/reading/maps_of_slices.hpp"

namespace recon {
namespace {

/// @param frames  extents of the frames' dimensions
BartExtents extents_of(std::array<Index, 4> first, BartExtents extents) {
    std::copy(first.begin(), first.end(), extents.begin());
    return extents;
}

BartExtents no_frames() {
    BartExtents extents;
    extents.fill(1);
    return extents;
}

template <class Frames>
BartFrameOrder order_of(const Frames& frames) {
    std::vector<FrameLabel> labels;
    for (const auto& frame : frames) {
        labels.push_back(frame.label);
    }
    return bart_frame_order(labels);
}

BartExtents extents_of_bart_maps(const Scan& scan) {
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    BartExtents extents = extents_of({nx, ny, nz, scan.coil_count}, no_frames());
    extents[bart_slice] = std::max<Index>(1, std::ssize(scan.coil_map_slices));
    return extents;
}

void append_positions(const Trajectory& trajectory, std::vector<cfloat>& positions) {
    for (std::size_t s = 0; s < trajectory.k[0].size(); ++s) {
        for (const std::vector<double>& k : trajectory.k) {
            positions.emplace_back(static_cast<float>(k[s]));
        }
    }
}

}  // namespace

void write_bart_scan(const Scan& scan, const std::string& path) {
    const Index sample_count = scan.frames.front().sample_count();
    const auto& shared = scan.frames.front().trajectory;
    bool one_trajectory = true;
    for (const Frame& frame : scan.frames) {
        if (frame.sample_count() != sample_count) {
            throw InputError(
                fmt::format("{}: BART's files hold frames of equal length, and here one has {} samples and "
                            "another {}; write another format",
                            path, sample_count, frame.sample_count()));
        }
        one_trajectory = one_trajectory && frame.trajectory == shared;
    }
    const Index samples = scan.samples_per_readout > 0 ? scan.samples_per_readout : sample_count;
    const Index readouts = sample_count / samples;
    const BartFrameOrder frames = order_of(scan.frames);
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(nx * ny * nz)));
    std::vector<cfloat> kspace, positions;
    for (const std::size_t i : frames.order) {
        const Frame& frame = scan.frames[i];
        for (const cfloat& value : frame.kspace) {
            kspace.push_back(factor * value);
        }
        if (!one_trajectory || positions.empty()) {
            append_positions(*frame.trajectory, positions);
        }
    }
    const std::string base = bart_base(path);
    write_bart(base, extents_of({1, samples, readouts, scan.coil_count}, frames.extents), kspace);
    write_bart(base + "-trajectory",
               extents_of({3, samples, readouts, 1}, one_trajectory ? no_frames() : frames.extents), positions);
    if (!scan.coil_maps.empty()) {
        write_bart(base + "-coil-maps", extents_of_bart_maps(scan), stored_coil_maps(scan).values);
    }
    std::vector<std::string> left_out;
    for (const auto& [is_there, name] :
         {std::pair(!scan.off_resonance_hz.empty(), "field map and sample times"),
          std::pair(!scan.relaxation_rate_per_s.empty(), "R2* map"), std::pair(!scan.noise.empty(), "noise")}) {
        if (is_there) {
            left_out.emplace_back(name);
        }
    }
    if (!left_out.empty()) {
        log_warning("{}: {} left out; BART's files have no place for them", base, fmt::join(left_out, ", "));
    }
    log_info("{0}.cfl, {0}-trajectory.cfl{1}: k-space and its positions as BART has them", base,
             scan.coil_maps.empty() ? "" : fmt::format(", {}-coil-maps.cfl", base));
}

void write_bart_image(const Image& image, const std::string& path) {
    const auto [nx, ny, nz] = image.geometry.matrix_size;
    const BartFrameOrder frames = order_of(image.frames);
    std::vector<cfloat> voxels;
    voxels.reserve(image.voxels.size());
    for (const std::size_t i : frames.order) {
        const auto frame = image.frame(static_cast<Index>(i));
        voxels.insert(voxels.end(), frame.begin(), frame.end());
    }
    write_bart(path, extents_of({nx, ny, nz, 1}, frames.extents), voxels);
}

}  // namespace recon
