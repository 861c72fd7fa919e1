#include "data/reading/scan/scan_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "core/parallel/share.hpp"
#include "data/reading/scan/finite_values.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

bool all_zero(const auto& values) {
    return std::ranges::all_of(values, [](const auto& value) { return value == std::decay_t<decltype(value)>(0); });
}

std::string matrix_text(const PerAxis<Index>& m) { return fmt::format("{} x {} x {}", m[0], m[1], m[2]); }

std::string voxel_text(Index i, const PerAxis<Index>& m) {
    const Index voxels = m[0] * m[1] * m[2];
    const std::string coil = i >= voxels ? fmt::format("coil {}, ", i / voxels) : "";
    const Index v = i % voxels;
    return fmt::format("{}voxel x {}, y {}, z {}", coil, v % m[0], v / m[0] % m[1], v / (m[0] * m[1]));
}

/// What messages about the samples of a frame need to know: by value, for those that come long after the reading.
struct FrameSamples {
    std::string path;
    FrameLabel label;
    bool is_of_series;
    Index sample_count;
    Index coil_count;
    Index samples_per_readout;

    FrameSamples(const Scan& scan, const Frame& frame)
        : path(scan.path),
          label(frame.label),
          is_of_series(scan.frames.size() > 1),
          sample_count(frame.sample_count()),
          coil_count(scan.coil_count),
          samples_per_readout(scan.samples_per_readout) {}

    /// Where element i of [sample coil] is, or of what coils have in common.
    std::string place(Index i, bool has_coils = true) const {
        const Index sample = i % sample_count;
        std::string text = is_of_series ? text_of(label) + ", " : "";
        text += has_coils && coil_count > 1 ? fmt::format("coil {}, ", i / sample_count) : "";
        return samples_per_readout > 0 ? text + fmt::format("readout {}, sample {}", sample / samples_per_readout,
                                                            sample % samples_per_readout)
                                       : text + fmt::format("sample {}", sample);
    }
};

void require_count(std::size_t found, const FrameSamples& samples, Index expected, const std::string& what) {
    if (static_cast<Index>(found) != expected) {
        throw InputError(fmt::format("{}: {} has {} values of {}, expected {} ({} samples, {} coils)", samples.path,
                                     text_of(samples.label), found, what, expected, samples.sample_count,
                                     samples.coil_count));
    }
}

void check_kspace(const FrameSamples& samples, Index frame, std::span<const cfloat> kspace) {
    require_count(kspace.size(), samples, samples.sample_count * samples.coil_count, "k-space data");
    require_finite(kspace, samples.path, "the k-space data", [&](Index i) { return samples.place(i); });
    Index dead_coils = 0;
    for (Index coil = 0; coil < samples.coil_count; ++coil) {
        const auto data = kspace.subspan(static_cast<std::size_t>(coil * samples.sample_count),
                                         static_cast<std::size_t>(samples.sample_count));
        dead_coils += all_zero(data) ? 1 : 0;
    }
    if (dead_coils == samples.coil_count) {
        throw InputError(fmt::format("{}: the k-space data of {} are all zero{}", samples.path, text_of(samples.label),
                                     samples.is_of_series ? "; `select` takes the frames that hold something" : ""));
    }
    if (dead_coils > 0 && frame > 0) {  // those of the first are left out, and named then
        log_warning("{}: {} of {} coils hold only zeros in {}", samples.path, dead_coils, samples.coil_count,
                    text_of(samples.label));
    }
}

/// Frames in memory now, the others when they come; each once, however often it is loaded. Of some coils without the
/// others there is no telling whether these have signal.
void check_kspace_of_all(Scan& scan) {
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        Frame& frame = scan.frames[i];
        const FrameSamples samples(scan, frame);
        const auto checked = std::make_shared<bool>(!frame.kspace.empty());
        if (*checked) {
            check_kspace(samples, static_cast<Index>(i), frame.kspace);
        }
        if (frame.is_on_demand()) {
            frame.read_kspace = [read = std::move(frame.read_kspace), samples, i, checked] {
                std::vector<cfloat> kspace = read();
                if (!*checked) {
                    check_kspace(samples, static_cast<Index>(i), kspace);
                    *checked = true;
                }
                return kspace;
            };
        }
        if (frame.read_coils) {
            frame.read_coils = [read = std::move(frame.read_coils), samples](const Share& coils) {
                std::vector<cfloat> kspace = read(coils);
                require_count(kspace.size(), samples, samples.sample_count * coils.count, "k-space data");
                require_finite(std::span<const cfloat>(kspace), samples.path, "the k-space data",
                               [&](Index n) { return samples.place(coils.first * samples.sample_count + n); });
                return kspace;
            };
        }
    }
}

void check_maps_of_coils(Scan& scan) {
    scan.read_coil_maps = [read = std::move(scan.read_coil_maps), path = scan.path,
                           matrix = scan.geometry.matrix_size](const Share& coils) {
        std::vector<cfloat> maps = read(coils);
        const Index voxels = matrix[0] * matrix[1] * matrix[2];
        if (std::ssize(maps) != voxels * coils.count) {
            throw InputError(fmt::format("{}: {} coil maps have {} values, expected {} each", path, coils.count,
                                         maps.size(), voxels));
        }
        require_finite(std::span<const cfloat>(maps), path, "the coil maps",
                       [&](Index i) { return voxel_text(coils.first * voxels + i, matrix); });
        return maps;
    };
}

void check_weights(const Scan& scan, const Frame& frame) {
    const auto place = [&](Index i) { return FrameSamples(scan, frame).place(i, false); };
    const std::span<const float> weights(frame.density_weights);
    require_finite(weights, scan.path, "the density weights", place);
    const auto negative = [](float weight) { return weight < 0; };
    const auto first = std::find_if(weights.begin(), weights.end(), negative);
    if (first != weights.end()) {
        throw InputError(fmt::format("{}: {} of {} density weights are negative, the first at {}", scan.path,
                                     std::count_if(first, weights.end(), negative), weights.size(),
                                     place(first - weights.begin())));
    }
    if (!weights.empty() && all_zero(weights)) {
        throw InputError(fmt::format("{}: the density weights of {} are all zero", scan.path, text_of(frame.label)));
    }
}

void check_times(const Scan& scan, const Frame& frame) {
    require_finite(std::span<const float>(frame.sample_times_s), scan.path, "the sample times",
                   [&](Index i) { return FrameSamples(scan, frame).place(i, false); });
    constexpr float implausible_s = 5;  // transverse magnetisation is long gone
    const auto latest = std::max_element(frame.sample_times_s.begin(), frame.sample_times_s.end());
    if (latest != frame.sample_times_s.end() && *latest > implausible_s) {
        log_warning("{}: sample times reach {:.4g} s after excitation; they should be in seconds", scan.path, *latest);
    }
}

/// Of some of the numbers, which tell the scale of all: an odd number apart, so that they are in all columns.
float largest_of_many(std::span<const cfloat> values) {
    constexpr std::size_t enough = std::size_t{1} << 18;
    const std::size_t apart = (values.size() / enough) | 1;
    float largest = 0;
    for (std::size_t i = 0; i < values.size(); i += apart) {
        largest = std::max({largest, std::abs(values[i].real()), std::abs(values[i].imag())});
    }
    return largest;
}

}  // namespace

void check_matrix_size(const PerAxis<Index>& matrix_size, const std::string& where) {
    constexpr Index longest = Index{1} << 16;
    constexpr Index most_voxels = Index{1} << 36;  // half a terabyte in single precision
    for (const Index extent : matrix_size) {
        if (extent < 1 || extent > longest) {
            throw InputError(fmt::format("{}: the matrix size is {}, expected 1 to {} voxels on each axis", where,
                                         matrix_text(matrix_size), longest));
        }
    }
    if (matrix_size[0] * matrix_size[1] > most_voxels / matrix_size[2]) {
        throw InputError(fmt::format("{}: the matrix size is {}: more voxels than any machine holds", where,
                                     matrix_text(matrix_size)));
    }
}

void check_trajectories(const Scan& scan) {
    if (scan.frames.empty() || scan.coil_count < 1) {
        throw InputError(fmt::format("{}: there are no measurements in it", scan.path));
    }
    const Trajectory* checked = nullptr;
    for (const Frame& frame : scan.frames) {
        if (frame.trajectory == nullptr || frame.sample_count() < 1) {
            throw InputError(fmt::format("{}: {} has no samples", scan.path, text_of(frame.label)));
        }
        const FrameSamples samples(scan, frame);
        if (!frame.is_on_demand()) {
            require_count(frame.kspace.size(), samples, frame.sample_count() * scan.coil_count, "k-space data");
        }
        if (!frame.density_weights.empty()) {
            require_count(frame.density_weights.size(), samples, frame.sample_count(), "density weights");
        }
        if (!frame.sample_times_s.empty()) {
            require_count(frame.sample_times_s.size(), samples, frame.sample_count(), "sample times");
        }
        if (frame.trajectory.get() == checked) {
            continue;
        }
        for (const auto& component : frame.trajectory->k) {
            require_count(component.size(), samples, frame.sample_count(), "trajectory");
            require_finite(std::span<const double>(component), scan.path, "the trajectory",
                           [&](Index i) { return samples.place(i, false); });
        }
        checked = frame.trajectory.get();
        if (frame.sample_count() > 1 && std::ranges::all_of(checked->k, all_zero<std::vector<double>>)) {
            throw InputError(
                fmt::format("{}: the trajectory of {} is zero throughout", scan.path, text_of(frame.label)));
        }
    }
}

void check_scan(Scan& scan) {
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    check_matrix_size(matrix, scan.path);
    check_trajectories(scan);
    for (const Frame& frame : scan.frames) {
        check_weights(scan, frame);
        check_times(scan, frame);
    }
    check_kspace_of_all(scan);
    if (scan.read_coil_maps) {
        check_maps_of_coils(scan);
    }
    for (const double extent : scan.geometry.field_of_view_mm) {
        if (!(extent >= 0) || std::isinf(extent)) {
            throw InputError(fmt::format("{}: a field of view of {} mm is impossible", scan.path, extent));
        }
    }
    if (!scan.coil_maps.empty() && scan.coil_map_slices.empty()) {  // else they were, slice by slice
        check_coil_maps(std::span<const cfloat>(scan.coil_maps), matrix, scan.coil_count, scan.path);
    }
    for_each_field_map(scan, [&](std::span<const float> map_hz, std::optional<Index> slice) {
        require_finite(map_hz, scan.path, slice ? fmt::format("the field map of slice {}", *slice) : "the field map",
                       [&](Index i) { return voxel_text(i, matrix); });
    });
    if (std::ssize(scan.noise) % scan.coil_count != 0) {
        throw InputError(fmt::format("{}: {} noise samples, expected as many of each of {} coils", scan.path,
                                     scan.noise.size(), scan.coil_count));
    }
    check_finite(std::span<const cfloat>(scan.noise), scan.path, "the noise samples");
}

void check_finite(std::span<const cfloat> values, const std::string& where, const std::string& what) {
    require_finite(values, where, what, [](Index i) { return fmt::format("element {}", i); });
}

void check_finite(std::span<const float> values, const std::string& where, const std::string& what) {
    require_finite(values, where, what, [](Index i) { return fmt::format("element {}", i); });
}

void check_coil_maps(std::span<const cfloat> coil_maps, const PerAxis<Index>& matrix_size, Index coil_count,
                     const std::string& where) {
    const Index expected = matrix_size[0] * matrix_size[1] * matrix_size[2] * coil_count;
    if (static_cast<Index>(coil_maps.size()) != expected) {
        throw InputError(fmt::format("{}: the coil maps have {} values, expected {} ({} coils on {})", where,
                                     coil_maps.size(), expected, coil_count, matrix_text(matrix_size)));
    }
    require_finite(coil_maps, where, "the coil maps", [&](Index i) { return voxel_text(i, matrix_size); });
    if (all_zero(coil_maps)) {
        throw InputError(fmt::format("{}: the coil maps are all zero", where));
    }
    const float largest = largest_of_many(coil_maps);
    constexpr float most = 1e9F;  // sums of squares of such numbers, and of their inverses, stay in single precision
    if (largest > most || (largest > 0 && largest < 1 / most)) {
        throw InputError(
            fmt::format("{}: the largest number of the coil maps is {:.1g}: single precision does not "
                        "hold what is made of such; scale them to about 1",
                        where, largest));
    }
}

}  // namespace recon
