#include "data/simulation/simulate_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "data/simulation/phantoms/phantom.hpp"
#include "data/simulation/scan_assembly.hpp"

namespace recon {
namespace {

void require_slices(const SimulationOptions& options) {
    const PerAxis<Index>& n = options.request.matrix_size;
    if (n[0] == 1 || n[1] == 1 || n[2] > 1) {
        throw UsageError(fmt::format("`slices`: {} of a matrix of {} x {} x {}; expected a 2-D scan, `matrix` X Y",
                                     options.slice_count, n[0], n[1], n[2]));
    }
    if (options.slice_count > 1000) {
        throw UsageError(fmt::format("`slices`: {}, expected 1 to 1000", options.slice_count));
    }
    if (options.phantom == "heart") {
        throw UsageError("`slices`: `phantom` heart is one slice; expected another");
    }
}

/// Where the slices cut the object, in fields of view.
std::vector<double> sections_of(const SimulationOptions& options) {
    const double middle = options.section.value_or(phantom_kinds().get(options.phantom).telling_section[2]);
    const double step = options.slice_distance_mm / options.request.field_of_view_mm[2];
    std::vector<double> sections;
    for (Index slice = 0; slice < options.slice_count; ++slice) {
        sections.push_back(middle + static_cast<double>(slice - options.slice_count / 2) * step);
    }
    const double farthest = std::max(std::abs(sections.front()), std::abs(sections.back()));
    if (!(step > 0) || !(farthest <= 0.5)) {
        throw UsageError(
            fmt::format("`slice_distance`: {} slices {:g} mm apart reach from {:.3g} to {:.3g} fields of view, "
                        "expected -0.5 to 0.5, where the object is",
                        options.slice_count, options.slice_distance_mm, sections.front(), sections.back()));
    }
    return sections;
}

/// [x y z slice coil] of [x y z coil] of each slice.
std::vector<cfloat> maps_of(const std::vector<Simulation>& slices, Index coil_count) {
    std::vector<cfloat> maps;
    const std::size_t of_coil = slices.front().scan.coil_maps.size() / static_cast<std::size_t>(coil_count);
    for (Index coil = 0; coil < coil_count; ++coil) {
        for (const Simulation& slice : slices) {
            const auto from = slice.scan.coil_maps.begin() + coil * static_cast<Index>(of_coil);
            maps.insert(maps.end(), from, from + static_cast<Index>(of_coil));
        }
    }
    return maps;
}

/// [x y z slice] of maps of off-resonance or R2*, [x y z] of each slice.
std::vector<float> joined(const std::vector<Simulation>& slices, std::vector<float> Scan::*map) {
    std::vector<float> maps;
    for (const Simulation& slice : slices) {
        const std::vector<float>& of_slice = slice.scan.*map;
        maps.insert(maps.end(), of_slice.begin(), of_slice.end());
    }
    return maps;
}

}  // namespace

Simulation simulate_slices(const SimulationOptions& options) {
    require_slices(options);
    const std::vector<double> sections = sections_of(options);
    SimulationOptions one = options;
    one.slice_count = 1;
    one.snr = std::numeric_limits<double>::infinity();
    one.noise_sample_count = 0;
    std::vector<Simulation> slices;
    for (const double section : sections) {
        one.section = section;
        slices.push_back(simulate_scan(one));
    }

    const Index voxel_count = Shape::image(options.request.matrix_size).element_count();
    const auto truth_of = [&](Index slice, std::size_t frame) {
        const auto from =
            slices[static_cast<std::size_t>(slice)].truth.begin() + static_cast<Index>(frame) * voxel_count;
        return std::vector<cfloat>(from, from + voxel_count);
    };
    Simulation result;
    result.scan = slices.front().scan;
    result.design = slices.front().design;
    result.noise_standard_deviation = noise_standard_deviation(truth_of(options.slice_count / 2, 0), options.snr);
    Scan& scan = result.scan;
    scan.geometry.field_of_view_mm[2] = options.slice_distance_mm;
    std::vector<Index> labels(static_cast<std::size_t>(options.slice_count));
    std::iota(labels.begin(), labels.end(), Index{0});
    if (!scan.coil_maps.empty()) {
        scan.coil_maps = maps_of(slices, options.coil_count);
        scan.coil_map_slices = labels;
    }
    if (options.off_resonance.asked_for()) {
        scan.off_resonance_hz = joined(slices, &Scan::off_resonance_hz);
        scan.relaxation_rate_per_s = joined(slices, &Scan::relaxation_rate_per_s);
        scan.off_resonance_slices = labels;
    }
    const std::vector<Frame> first = std::exchange(scan.frames, {});
    for (std::size_t f = 0; f < first.size(); ++f) {  // in the order of labels
        for (Index slice = 0; slice < options.slice_count; ++slice) {
            Frame frame = std::move(slices[static_cast<std::size_t>(slice)].scan.frames[f]);
            frame.label.slice = slice;
            frame.trajectory = first[f].trajectory;
            frame.orientation = scan.geometry.orientation;
            frame.orientation->centre_mm[2] +=
                sections[static_cast<std::size_t>(slice)] * options.request.field_of_view_mm[2];
            scan.frames.push_back(std::move(frame));
            const std::vector<cfloat> truth = truth_of(slice, f);
            result.truth.insert(result.truth.end(), truth.begin(), truth.end());
        }
    }
    scan.geometry.orientation = scan.frames.front().orientation;
    add_noise_of_frames(options, result);
    return result;
}

}  // namespace recon
