#include "core/mri/check/scan_fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/mri/gradients/readout_interpolation.hpp"

namespace recon {
namespace {

using Kind = ScanFix::Kind;

int axis_of(char name) { return name - 'x'; }

Index readout_length(const Scan& scan, const ScanFix& fix) {
    const Index length = scan.samples_per_readout;
    if (length < 2 || std::abs(fix.samples) >= length) {
        throw InputError(fmt::format(
            "{}: fix {}: the scan has {}; expected readouts of one length, longer than that", scan.path, fix.text(),
            length > 0 ? fmt::format("readouts of {} samples", length) : std::string("readouts of unequal lengths")));
    }
    return length;
}

/// Every frame's trajectory changed; frames that shared one share the new one.
template <class Change>
void change_trajectories(Scan& scan, Change&& change) {
    std::vector<std::pair<const Trajectory*, std::shared_ptr<const Trajectory>>> done;
    const auto change_one = [&](Frame& frame) {
        const auto known = std::find_if(done.begin(), done.end(),
                                        [&](const auto& pair) { return pair.first == frame.trajectory.get(); });
        if (known != done.end()) {
            frame.trajectory = known->second;
            return;
        }
        auto changed = std::make_shared<Trajectory>(*frame.trajectory);
        change(*changed);
        done.emplace_back(frame.trajectory.get(), changed);
        frame.trajectory = changed;
    };
    std::ranges::for_each(scan.frames, change_one);
    std::ranges::for_each(scan.calibration, change_one);
}

/// What was measured along one axis was meant for the other, in 1/mm where the fields of view are known.
void swap_axes(Scan& scan, int a, int b) {
    const PerAxis<double>& extent = scan.geometry.field_of_view_mm;
    const double ratio = extent[a] > 0 && extent[b] > 0 ? extent[a] / extent[b] : 1;
    change_trajectories(scan, [&](Trajectory& trajectory) {
        for (Index m = 0; m < trajectory.sample_count(); ++m) {
            const double along_a = trajectory.k[a][m];
            trajectory.k[a][m] = trajectory.k[b][m] * ratio;
            trajectory.k[b][m] = along_a / ratio;
        }
    });
}

void scale_k(Scan& scan, const ScanFix& fix) {
    change_trajectories(scan, [&](Trajectory& trajectory) {
        for (int axis = 0; axis < 3; ++axis) {
            if (fix.axes.empty() || fix.axes.find(static_cast<char>('x' + axis)) != std::string::npos) {
                for (double& k : trajectory.k[axis]) {
                    k *= fix.factor;
                }
            }
        }
    });
}

void leave_calibration_out(Scan& scan) {
    if (!scan.calibration.empty()) {
        log_warning(
            "{}: the calibration scan is not used: a fix of readouts is for those of the image, and its own may "
            "be of another length",
            scan.path);
        scan.calibration.clear();
    }
}

/// Samples of the readouts for which `applies` (of the readout's number) in the reverse order, coil by coil.
template <class Applies>
void reverse_readouts(Scan& scan, Index length, Applies&& applies) {
    leave_calibration_out(scan);
    transform_kspace(scan, [length, applies](Index, std::vector<cfloat>& kspace) {
        const Index readouts = static_cast<Index>(kspace.size()) / length;
        for (Index readout = 0; readout < readouts; ++readout) {
            if (applies(readout)) {
                const auto first = kspace.begin() + readout * length;
                std::reverse(first, first + length);
            }
        }
    });
}

/// Sample s of a readout goes to place s + samples; the ends keep the value of their neighbour.
void shift_readouts(Scan& scan, Index length, Index samples) {
    leave_calibration_out(scan);
    transform_kspace(scan, [length, samples](Index, std::vector<cfloat>& kspace) {
        std::vector<cfloat> readout(length);
        for (auto first = kspace.begin(); kspace.end() - first >= length; first += length) {
            for (Index s = 0; s < length; ++s) {
                readout[s] = first[std::clamp<Index>(s - samples, 0, length - 1)];
            }
            std::copy(readout.begin(), readout.end(), first);
        }
    });
}

/// Positions of sample `factor` s instead of s.
void stretch_readouts(Scan& scan, Index length, double factor) {
    leave_calibration_out(scan);
    change_trajectories(scan, [&](Trajectory& trajectory) {
        for (auto& component : trajectory.k) {
            for (auto first = component.begin(); component.end() - first >= length; first += length) {
                const std::vector<double> readout(first, first + length);
                for (Index s = 0; s < length; ++s) {
                    first[s] = position_at(readout, factor * static_cast<double>(s));
                }
            }
        }
    });
}

void conjugate_all(std::vector<cfloat>& values) {
    for (cfloat& value : values) {
        value = std::conj(value);
    }
}

void require_maps(const Scan& scan, const ScanFix& fix) {
    if (scan.coil_maps.empty()) {
        throw InputError(fmt::format("{}: fix {}: the scan comes without coil maps", scan.path, fix.text()));
    }
}

/// The voxel that index i of an axis with N voxels shows in the mirror: positions (i - floor(N/2))/N change sign; what
/// has no partner, at the first index of an even axis, stays.
Index mirrored(Index i, Index extent) { return (2 * (extent / 2) - i + extent) % extent; }

void mirror_maps(Scan& scan, const std::string& axes) {
    const PerAxis<Index>& size = scan.geometry.matrix_size;
    const auto at = [&](int axis, Index i) {
        return axes.find(static_cast<char>('x' + axis)) == std::string::npos ? i : mirrored(i, size[axis]);
    };
    std::vector<cfloat> result(scan.coil_maps.size());
    Index to = 0;
    const Index map_count = std::ssize(scan.coil_maps) / Shape::image(size).element_count();
    for (Index map = 0; map < map_count; ++map) {
        for (Index z = 0; z < size[2]; ++z) {
            for (Index y = 0; y < size[1]; ++y) {
                for (Index x = 0; x < size[0]; ++x) {
                    result[to++] =
                        scan.coil_maps[((map * size[2] + at(2, z)) * size[1] + at(1, y)) * size[0] + at(0, x)];
                }
            }
        }
    }
    scan.coil_maps = std::move(result);
}

void order_maps(Scan& scan, const ScanFix& fix) {
    std::vector<Index> sorted = fix.order;
    std::sort(sorted.begin(), sorted.end());
    for (Index coil = 0; coil < static_cast<Index>(sorted.size()); ++coil) {
        if (sorted[coil] != coil) {
            throw InputError(
                fmt::format("fix {}: expected each coil from 0 to {} once", fix.text(), sorted.size() - 1));
        }
    }
    if (static_cast<Index>(fix.order.size()) != scan.coil_count) {
        throw InputError(fmt::format("{}: fix {}: the scan has {} coils; expected as many numbers", scan.path,
                                     fix.text(), scan.coil_count));
    }
    const Index of_coil = std::ssize(scan.coil_maps) / scan.coil_count;
    std::vector<cfloat> result(scan.coil_maps.size());
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        const auto from = scan.coil_maps.begin() + fix.order[coil] * of_coil;
        std::copy(from, from + of_coil, result.begin() + coil * of_coil);
    }
    scan.coil_maps = std::move(result);
}

}  // namespace

void apply(const ScanFix& fix, Scan& scan) {
    for (const char axis : fix.axes) {
        if (scan.geometry.matrix_size[axis_of(axis)] == 1) {
            throw InputError(fmt::format("{}: fix {}: the image has one voxel along {}", scan.path, fix.text(), axis));
        }
    }
    if (fix.is_of_maps()) {
        require_maps(scan, fix);
    }
    switch (fix.kind) {
        case Kind::conjugate:
            transform_all_kspace(scan, conjugate_all);
            conjugate_all(scan.noise);
            break;
        case Kind::mirror:
            change_trajectories(scan, [&](Trajectory& trajectory) {
                for (const char axis : fix.axes) {
                    for (double& k : trajectory.k[axis_of(axis)]) {
                        k = -k;
                    }
                }
            });
            break;
        case Kind::swap: swap_axes(scan, axis_of(fix.axes[0]), axis_of(fix.axes[1])); break;
        case Kind::shift: shift_readouts(scan, readout_length(scan, fix), fix.samples); break;
        case Kind::reverse: reverse_readouts(scan, readout_length(scan, fix), [](Index) { return true; }); break;
        case Kind::alternate: {
            const Index length = readout_length(scan, fix);
            const Index readouts = scan.frames.front().sample_count() / length;  // numbers go on from coil to coil
            reverse_readouts(scan, length, [readouts](Index readout) { return readout % readouts % 2 == 1; });
            break;
        }
        case Kind::scale: scale_k(scan, fix); break;
        case Kind::stretch: stretch_readouts(scan, readout_length(scan, fix), fix.factor); break;
        case Kind::maps_conjugate: conjugate_all(scan.coil_maps); break;
        case Kind::maps_mirror: mirror_maps(scan, fix.axes); break;
        case Kind::maps_order: order_maps(scan, fix); break;
    }
}

}  // namespace recon
