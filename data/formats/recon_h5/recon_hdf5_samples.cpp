#include "data/formats/recon_h5/recon_hdf5_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/available_memory.hpp"
#include "core/base/error.hpp"
#include "core/base/host_pages.hpp"

namespace recon {
namespace {

using Texts = std::vector<std::string>;

const Texts kspace_axes{"frame", "coil", "readout", "sample"};
const Texts sample_axes{"frame", "readout", "sample"};
const Texts trajectory_axes{"frame", "readout", "sample", "dimension"};

/// Of k-space without names. Two extents that are those of a trajectory with readouts are of one coil: as many coils
/// would have as many samples each.
std::vector<Texts> kspace_axes_by_rank(const H5File& file, const std::string& group) {
    Texts of_two{"coil", "sample"};
    const std::string trajectory = group + "/trajectory";
    if (file.has_dataset(trajectory)) {
        const std::vector<Index> kspace = file.dataset_info(group + "/kspace").extents;
        const std::vector<Index> positions = file.dataset_info(trajectory).extents;
        if (kspace.size() == 2 && positions.size() == 3 &&
            std::equal(kspace.begin(), kspace.end(), positions.begin())) {
            of_two = {"readout", "sample"};
        }
    }
    return {{"sample"}, of_two, {"coil", "readout", "sample"}, kspace_axes};
}

}  // namespace

ReconHdf5Samples::ReconHdf5Samples(std::shared_ptr<const H5File> file, std::string group, Positions positions)
    : open_file_(std::move(file)),
      file_(*open_file_),
      group_(std::move(group)),
      positions_(positions),
      kspace_(file_, group_ + "/kspace", kspace_axes, kspace_axes_by_rank(file_, group_)),
      sample_count_(kspace_.extent("readout") * kspace_.extent("sample")) {}

template <class T>
std::vector<T> ReconHdf5Samples::rows(const std::string& name, bool frame_axis, Index index) const {
    const std::string path = group_ + "/" + name;
    return frame_axis ? file_.read_rows<T>(path, index, 1) : file_.read<T>(path);
}

void ReconHdf5Samples::require(bool condition, const std::string& name, const std::string& expected) const {
    if (!condition) {
        const std::string path = group_ + "/" + name;
        throw InputError(fmt::format("{}: dataset {} is {}, expected {}, because {}/kspace is {}", file_.path(), path,
                                     file_.dataset_info(path).text(), expected, group_,
                                     file_.dataset_info(group_ + "/kspace").text()));
    }
}

/// Readouts and samples of a readout, each by itself: exchanged axes have the same number of samples in all.
void ReconHdf5Samples::require_same_axes(const NamedAxes& axes, const std::string& name) const {
    if (!axes.has("readout") || !kspace_.has("readout")) {
        return;
    }
    const Index readouts = axes.extent("readout"), samples = axes.extent("sample");
    const bool exchanged = readouts == kspace_.extent("sample") && samples == kspace_.extent("readout");
    require(readouts == kspace_.extent("readout") && samples == kspace_.extent("sample"), name,
            exchanged ? fmt::format("{0} readouts of {1} samples (exchange the axes readout and sample of {2}/kspace, "
                                    "or of {2}/{3}: in the layout the samples of a readout are the faster axis)",
                                    kspace_.extent("readout"), kspace_.extent("sample"), group_, name)
                      : fmt::format("{} readouts of {} samples", kspace_.extent("readout"), kspace_.extent("sample")));
}

/// @param values  [sample dimension], the last one fastest
template <class T>
void ReconHdf5Samples::separate(const std::vector<T>& values, Index dimensions, Trajectory& trajectory) const {
    require_available_memory(3 * static_cast<std::size_t>(sample_count_) * sizeof(double),
                             fmt::format("{}: the trajectory of {} samples", file_.path(), sample_count_));
    for (Index axis = 0; axis < 3; ++axis) {
        auto& component = trajectory.k[static_cast<std::size_t>(axis)];
        component = axis < dimensions ? unwritten_vector<double>(static_cast<std::size_t>(sample_count_))
                                      : std::vector<double>(static_cast<std::size_t>(sample_count_));
    }
#pragma omp parallel for if (sample_count_ > 10'000)
    for (Index s = 0; s < sample_count_; ++s) {
        for (Index axis = 0; axis < dimensions; ++axis) {
            trajectory.k[static_cast<std::size_t>(axis)][static_cast<std::size_t>(s)] =
                static_cast<double>(values[static_cast<std::size_t>(s * dimensions + axis)]);
        }
    }
}

std::shared_ptr<const Trajectory> ReconHdf5Samples::trajectory(Index index) {
    if (shared_trajectory_) {
        return shared_trajectory_;
    }
    if (positions_ == Positions::from_elsewhere) {
        auto none = std::make_shared<Trajectory>();
        none->k.fill(std::vector<double>(static_cast<std::size_t>(sample_count_)));
        return shared_trajectory_ = none;
    }
    if (!file_.has_dataset(group_ + "/trajectory")) {
        throw InputError(fmt::format("{}: there is no dataset {}/trajectory; `trajectory` names a file of positions",
                                     file_.path(), group_));
    }
    const NamedAxes axes(file_, group_ + "/trajectory", trajectory_axes,
                         {{}, {"sample", "dimension"}, {"readout", "sample", "dimension"}, trajectory_axes});
    const Index dimensions = axes.extent("dimension");
    require(axes.has("dimension") && dimensions >= 1 && dimensions <= 3, "trajectory", "1 to 3 dimensions, last axis");
    require(axes.extent("readout") * axes.extent("sample") == sample_count_, "trajectory",
            fmt::format("positions of {} samples", sample_count_));
    require_same_axes(axes, "trajectory");
    require(!axes.has("frame") || axes.extent("frame") == frame_count(), "trajectory",
            fmt::format("{} frames", frame_count()));
    const H5Info stored = file_.dataset_info(group_ + "/trajectory");
    const bool single = stored.kind == H5Kind::real && stored.element_bytes == sizeof(float);
    auto result = std::make_shared<Trajectory>();
    if (single) {  // widened here, by several threads, rather than by HDF5
        separate(rows<float>("trajectory", axes.has("frame"), index), dimensions, *result);
    } else {
        separate(rows<double>("trajectory", axes.has("frame"), index), dimensions, *result);
    }
    if (!axes.has("frame")) {
        shared_trajectory_ = result;
    }
    return result;
}

/// One value a sample; a file may give one readout's values for all readouts.
std::vector<float> ReconHdf5Samples::per_sample(const std::string& name, Index index) const {
    const std::string path = group_ + "/" + name;
    if (!file_.has_dataset(path)) {
        return {};
    }
    const NamedAxes axes(file_, path, sample_axes, {{"sample"}, {"readout", "sample"}, sample_axes});
    require(!axes.has("frame") || axes.extent("frame") == frame_count(), name, fmt::format("{} frames", frame_count()));
    const Index count = axes.extent("readout") * axes.extent("sample");
    const bool one_readout = !axes.has("readout") && count == samples_per_readout();
    require(count == sample_count_ || one_readout, name, fmt::format("values of {} samples", sample_count_));
    require_same_axes(axes, name);
    std::vector<float> values = rows<float>(name, axes.has("frame"), index);
    const std::size_t period = values.size();
    values.resize(static_cast<std::size_t>(sample_count_));
    for (std::size_t s = period; s < values.size(); ++s) {
        values[s] = values[s - period];
    }
    return values;
}

Frame ReconHdf5Samples::read(Index index, const FrameLabel& label, DistinctSamples& distinct) {
    Frame frame;
    frame.label = label;
    frame.trajectory = distinct.trajectories.shared(trajectory(index));
    frame.density_weights = distinct.weights.shared(per_sample("density_weights", index));
    frame.sample_times_s = distinct.times.shared(per_sample("sample_times_s", index));
    return frame;
}

std::vector<cfloat> ReconHdf5Samples::read_kspace(Index index) const {
    return rows<cfloat>("kspace", kspace_.has("frame"), index);
}

std::vector<cfloat> ReconHdf5Samples::read_coils(Index index, const Share& coils) const {
    if (!kspace_.has("coil")) {
        return read_kspace(index);
    }
    return file_.read_rows<cfloat>(group_ + "/kspace", coils.first, coils.count,
                                   kspace_.has("frame") ? std::optional(index) : std::nullopt);
}

}  // namespace recon
