#include "core/mri/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/parallel/share.hpp"

namespace recon {

bool is_usable(const Orientation& orientation) {
    const PerAxis<double>&x = orientation.x_direction, &y = orientation.y_direction, &z = orientation.z_direction;
    const double volume =
        (x[1] * y[2] - x[2] * y[1]) * z[0] + (x[2] * y[0] - x[0] * y[2]) * z[1] + (x[0] * y[1] - x[1] * y[0]) * z[2];
    constexpr double flat = 1e-3;  // of unit vectors; direction cosines in files carry four digits or more
    const auto finite = [](double value) { return std::isfinite(value); };
    return std::abs(volume) > flat && std::all_of(orientation.centre_mm.begin(), orientation.centre_mm.end(), finite);
}

std::string mistake_of_directions(const Orientation& orientation, const std::array<const char*, 3>& names) {
    constexpr double rounding = 1e-2;
    const std::array<const PerAxis<double>*, 3> directions{&orientation.x_direction, &orientation.y_direction,
                                                           &orientation.z_direction};
    const auto product = [&](std::size_t i, std::size_t j) {
        return std::inner_product(directions[i]->begin(), directions[i]->end(), directions[j]->begin(), 0.0);
    };
    for (std::size_t i = 0; i < 3; ++i) {
        if (const double length = std::sqrt(product(i, i)); !(std::abs(length - 1) < rounding)) {
            return fmt::format("{} has the length {:.3g}, expected 1", names[i], length);
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(std::abs(product(i, (i + 1) % 3)) < rounding)) {
            return fmt::format("{} and {} are not at right angles", names[i], names[(i + 1) % 3]);
        }
    }
    return "";
}

PerAxis<double> Geometry::voxel_size_mm() const {
    PerAxis<double> size{};
    for (int axis = 0; axis < 3; ++axis) {
        size[axis] = field_of_view_mm[axis] / static_cast<double>(matrix_size[axis]);
    }
    return size;
}

namespace {

/// Where the map of a slice begins, of those of these slices. @throws ShapeError if there is none
Index offset_of_map(const Scan& scan, const std::vector<Index>& slices, Index slice, const char* what) {
    if (slices.empty()) {
        return 0;
    }
    const auto found = std::ranges::find(slices, slice);
    if (found == slices.end()) {
        throw ShapeError(what + (" are of other slices than " + std::to_string(slice)));
    }
    return (found - slices.begin()) * Shape::image(scan.geometry.matrix_size).element_count();
}

}  // namespace

OffResonanceMaps Scan::off_resonance(Index slice) const {
    const auto offset = static_cast<std::size_t>(offset_of_map(*this, off_resonance_slices, slice, "the field maps"));
    const std::size_t of_all = off_resonance_slices.empty() ? 1 : off_resonance_slices.size();
    const auto part = [&](const std::vector<float>& maps) {
        return maps.empty() ? std::span<const float>() : std::span(maps).subspan(offset, maps.size() / of_all);
    };
    return {part(off_resonance_hz), part(relaxation_rate_per_s)};
}

Index offset_of_coil_map(const Scan& scan, Index slice) {
    return offset_of_map(scan, scan.coil_map_slices, slice, "the coil maps");
}

void Frame::load() {
    if (is_on_demand() && kspace.empty()) {
        kspace = read_kspace();
    }
}

void Frame::release() {
    if (is_on_demand()) {
        kspace = std::vector<cfloat>();  // `= {}` would keep the memory
    }
}

void transform_kspace(Frame& frame, const std::function<void(std::vector<cfloat>&)>& change) {
    if (!frame.kspace.empty()) {
        change(frame.kspace);
    }
    if (frame.is_on_demand()) {
        frame.read_kspace = [read = std::move(frame.read_kspace), change] {
            std::vector<cfloat> kspace = read();
            change(kspace);
            return kspace;
        };
    }
    if (frame.read_coils) {
        frame.read_coils = [read = std::move(frame.read_coils), change](const Share& coils) {
            std::vector<cfloat> kspace = read(coils);
            change(kspace);
            return kspace;
        };
    }
}

void transform_kspace(Scan& scan, const std::function<void(Index, std::vector<cfloat>&)>& change) {
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        transform_kspace(scan.frames[i],
                         [change, i](std::vector<cfloat>& kspace) { change(static_cast<Index>(i), kspace); });
    }
}

void transform_all_kspace(Scan& scan, const std::function<void(std::vector<cfloat>&)>& change) {
    for (std::vector<Frame>* const frames : {&scan.frames, &scan.calibration}) {
        for (Frame& frame : *frames) {
            transform_kspace(frame, change);
        }
    }
}

}  // namespace recon
