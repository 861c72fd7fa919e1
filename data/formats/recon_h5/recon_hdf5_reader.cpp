#include "data/formats/recon_h5/recon_hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/error.hpp"
#include "core/base/host_pages.hpp"
#include "data/formats/recon_h5/axis_names.hpp"
#include "data/formats/recon_h5/recon_hdf5_layout.hpp"
#include "data/reading/scan_checks.hpp"

namespace recon {
namespace {

using Texts = std::vector<std::string>;

const Texts kspace_axes{"frame", "coil", "readout", "sample"};
const Texts sample_axes{"frame", "readout", "sample"};
const Texts trajectory_axes{"frame", "readout", "sample", "dimension"};

/// What frames of a series have in common, each once.
struct Distinct {
    DistinctTrajectories trajectories;
    DistinctLists<float> weights;
    DistinctLists<float> times;
};

/// The samples of all frames that one group holds.
class SampleReader {
public:
    SampleReader(std::shared_ptr<const H5File> file, std::string group)
        : open_file_(std::move(file)),
          file_(*open_file_),
          group_(std::move(group)),
          kspace_(file_, group_ + "/kspace", kspace_axes,
                  {{"sample"}, {"coil", "sample"}, {"coil", "readout", "sample"}, kspace_axes}),
          sample_count_(kspace_.extent("readout") * kspace_.extent("sample")) {
        file_.require_plausible_size(group_ + "/kspace");
        if (sample_count_ < 1 || coil_count() < 1 || frame_count() < 1) {
            throw InputError(fmt::format("{}: dataset {}/kspace is empty", file_.path(), group_));
        }
    }

    Index frame_count() const { return kspace_.extent("frame"); }
    Index coil_count() const { return kspace_.extent("coil"); }
    Index samples_per_readout() const { return kspace_.has("readout") ? kspace_.extent("sample") : 0; }

    /// All but k-space.
    Frame read(Index index, const FrameLabel& label, Distinct& distinct) {
        Frame frame;
        frame.label = label;
        frame.trajectory = distinct.trajectories.shared(trajectory(index));
        frame.density_weights = distinct.weights.shared(per_sample("density_weights", index));
        frame.sample_times_s = distinct.times.shared(per_sample("sample_times_s", index));
        return frame;
    }
    std::vector<cfloat> read_kspace(Index index) const { return rows<cfloat>("kspace", kspace_.has("frame"), index); }

private:
    template <class T>
    std::vector<T> rows(const std::string& name, bool frame_axis, Index index) const {
        const std::string path = group_ + "/" + name;
        return frame_axis ? file_.read_rows<T>(path, index, 1) : file_.read<T>(path);
    }

    void require(bool condition, const std::string& name, const std::string& expected) const {
        if (!condition) {
            const std::string path = group_ + "/" + name;
            throw InputError(fmt::format("{}: dataset {} is {}, expected {}, because {}/kspace is {}", file_.path(),
                                         path, file_.dataset_info(path).text(), expected, group_,
                                         file_.dataset_info(group_ + "/kspace").text()));
        }
    }

    /// Readouts and samples of a readout, each by itself: exchanged axes have the same number of samples in all.
    void require_same_axes(const NamedAxes& axes, const std::string& name) const {
        if (!axes.has("readout") || !kspace_.has("readout")) {
            return;
        }
        const Index readouts = axes.extent("readout"), samples = axes.extent("sample");
        const bool exchanged = readouts == kspace_.extent("sample") && samples == kspace_.extent("readout");
        require(readouts == kspace_.extent("readout") && samples == kspace_.extent("sample"), name,
                exchanged
                    ? fmt::format("{0} readouts of {1} samples (exchange the axes readout and sample of {2}/kspace, "
                                  "or of {2}/{3}: in the layout the samples of a readout are the faster axis)",
                                  kspace_.extent("readout"), kspace_.extent("sample"), group_, name)
                    : fmt::format("{} readouts of {} samples", kspace_.extent("readout"), kspace_.extent("sample")));
    }

    std::shared_ptr<const Trajectory> trajectory(Index index) {
        if (shared_trajectory_) {
            return shared_trajectory_;
        }
        const NamedAxes axes(file_, group_ + "/trajectory", trajectory_axes,
                             {{}, {"sample", "dimension"}, {"readout", "sample", "dimension"}, trajectory_axes});
        const Index dimensions = axes.extent("dimension");
        require(axes.has("dimension") && dimensions >= 1 && dimensions <= 3, "trajectory",
                "1 to 3 dimensions, last axis");
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

    /// @param values  [sample dimension], the last one fastest
    template <class T>
    void separate(const std::vector<T>& values, Index dimensions, Trajectory& trajectory) const {
        for (auto& component : trajectory.k) {
            component = vector_of_provided_pages<double>(static_cast<std::size_t>(sample_count_));
        }
#pragma omp parallel for if (sample_count_ > 10'000)
        for (Index s = 0; s < sample_count_; ++s) {
            for (Index axis = 0; axis < dimensions; ++axis) {
                trajectory.k[static_cast<std::size_t>(axis)][static_cast<std::size_t>(s)] =
                    static_cast<double>(values[static_cast<std::size_t>(s * dimensions + axis)]);
            }
        }
    }

    /// One value a sample; a file may give one readout's values for all readouts.
    std::vector<float> per_sample(const std::string& name, Index index) const {
        const std::string path = group_ + "/" + name;
        if (!file_.has_dataset(path)) {
            return {};
        }
        const NamedAxes axes(file_, path, sample_axes, {{"sample"}, {"readout", "sample"}, sample_axes});
        require(!axes.has("frame") || axes.extent("frame") == frame_count(), name,
                fmt::format("{} frames", frame_count()));
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

    std::shared_ptr<const H5File> open_file_;
    const H5File& file_;
    std::string group_;
    NamedAxes kspace_;
    Index sample_count_;
    std::shared_ptr<const Trajectory> shared_trajectory_;
};

/// Up to three numbers, an attribute of the root or a small dataset; missing axes are `missing`.
template <class T>
PerAxis<T> read_per_axis(const H5File& file, const std::string& name, T unknown, T missing) {
    PerAxis<T> result{unknown, unknown, unknown};
    const bool attribute = file.has_attribute("/", name);
    if (!attribute && !file.has_dataset("/" + name)) {
        return result;
    }
    const std::vector<double> values =
        attribute ? file.read_attribute<double>("/", name) : file.read<double>("/" + name);
    if (values.empty() || values.size() > 3) {
        throw InputError(fmt::format("{}: {} has {} values, expected x, y, z", file.path(), name, values.size()));
    }
    result = {missing, missing, missing};
    for (std::size_t axis = 0; axis < values.size(); ++axis) {
        constexpr double most = 1e15;  // exact in a double and in an Index
        if (!(std::abs(values[axis]) < most) ||
            (std::is_same_v<T, Index> && values[axis] != std::floor(values[axis]))) {
            throw InputError(fmt::format("{}: {} of axis {} is {}, expected {}", file.path(), name, layout::xyz[axis],
                                         values[axis], std::is_same_v<T, Index> ? "a whole number" : "a number"));
        }
        result[axis] = static_cast<T>(values[axis]);
    }
    return result;
}

Orientation orientation_from(const double* values) {
    Orientation orientation;
    for (auto* vector :
         {&orientation.centre_mm, &orientation.x_direction, &orientation.y_direction, &orientation.z_direction}) {
        std::copy(values, values + 3, vector->begin());
        values += 3;
    }
    return orientation;
}

std::vector<Orientation> read_orientations(const H5File& file, const std::string& dataset, Index expected) {
    std::vector<Orientation> result;
    if (!file.has_dataset(dataset)) {
        return result;
    }
    const std::vector<double> values = file.read<double>(dataset);
    if (static_cast<Index>(values.size()) != 12 * expected) {
        throw InputError(fmt::format("{}: dataset {} is {}, expected {} times 4 vectors of 3 (centre, x, y, z)",
                                     file.path(), dataset, file.dataset_info(dataset).text(), expected));
    }
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
        throw InputError(fmt::format("{}: dataset {} has values that are not finite", file.path(), dataset));
    }
    for (Index i = 0; i < expected; ++i) {
        result.push_back(orientation_from(values.data() + 12 * i));
    }
    return result;
}

std::vector<FrameLabel> read_labels(const H5File& file, Index frame_count) {
    std::vector<FrameLabel> labels(static_cast<std::size_t>(frame_count));
    if (!file.has_dataset("/frame_labels")) {
        for (Index i = 0; i < frame_count; ++i) {
            labels[static_cast<std::size_t>(i)].repetition = i;
        }
        return labels;
    }
    const std::vector<Index> values = file.read<Index>("/frame_labels");
    const std::size_t columns = layout::label_columns.size();
    if (values.size() != labels.size() * columns) {
        throw InputError(fmt::format("{}: dataset /frame_labels is {}, expected [{}, {}]", file.path(),
                                     file.dataset_info("/frame_labels").text(), frame_count, columns));
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Index* row = values.data() + i * columns;
        labels[i] = {row[0], row[1], row[2], row[3], row[4]};
    }
    return labels;
}

void read_maps(const H5File& file, Scan& scan) {
    if (file.has_dataset("/coil_maps")) {
        scan.coil_maps = file.read<cfloat>("/coil_maps");
    }
    if (file.has_dataset("/off_resonance_hz")) {
        scan.off_resonance_hz = file.read<float>("/off_resonance_hz");
    }
    if (file.has_dataset("/noise")) {
        scan.noise = file.read<cfloat>("/noise");
        if (static_cast<Index>(scan.noise.size()) % scan.coil_count != 0) {
            throw InputError(fmt::format("{}: dataset /noise is {}, expected [{} coils, samples]", file.path(),
                                         file.dataset_info("/noise").text(), scan.coil_count));
        }
    }
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const auto require_extents = [&](const std::string& dataset, Index coils) {
        if (!file.has_dataset(dataset) || matrix[0] < 1) {
            return;
        }
        // Axes of extent 1 may be left out or not: [coil, y, x] is as good as [coil, 1, y, x].
        std::vector<Index> found = file.dataset_info(dataset).extents;
        std::vector<Index> expected{coils, matrix[2], matrix[1], matrix[0]};
        std::erase(found, 1);
        std::erase(expected, 1);
        if (found != expected) {
            throw InputError(fmt::format("{}: dataset {} is {}, expected {}[{}, {}, {}] (z, y, x), the image's matrix",
                                         file.path(), dataset, file.dataset_info(dataset).text(),
                                         dataset == "/coil_maps" ? fmt::format("{} coils times ", coils) : "",
                                         matrix[2], matrix[1], matrix[0]));
        }
    };
    require_extents("/coil_maps", scan.coil_count);
    require_extents("/off_resonance_hz", 1);
}

void check_version(const H5File& file) {
    if (!file.has_attribute("/", "version")) {
        return;
    }
    const auto version = file.read_attribute_scalar<Index>("/", "version");
    if (version != layout::version) {
        throw InputError(fmt::format("{}: is version {} of the layout {}, expected version {}", file.path(), version,
                                     layout::format_name, layout::version));
    }
}

}  // namespace

bool ReconHdf5Reader::recognises(const H5File& file) {
    if (file.has_attribute("/", "format") && file.attribute_info("/", "format").kind == H5Kind::text) {
        return file.read_attribute_scalar<std::string>("/", "format") == layout::format_name;
    }
    return file.has_dataset("/kspace") && file.has_dataset("/trajectory");
}

StoredScan ReconHdf5Reader::read(const ScanReadOptions& options) const {
    const auto open_file = std::make_shared<const H5File>(H5File::open(path_));
    const H5File& file = *open_file;
    check_version(file);
    StoredScan stored;
    Scan& scan = stored.scan;
    scan.path = path_;
    scan.format = format();
    scan.geometry.matrix_size = read_per_axis<Index>(file, "matrix_size", 0, 1);
    scan.geometry.field_of_view_mm = read_per_axis<double>(file, "field_of_view_mm", 0, 0);

    std::vector<std::shared_ptr<SampleReader>> groups;
    for (std::size_t i = 0; !file.has_dataset("/kspace") && file.has_group(layout::frame_group(i)); ++i) {
        groups.push_back(std::make_shared<SampleReader>(open_file, layout::frame_group(i)));
    }
    const bool stacked = groups.empty();
    if (stacked) {
        groups.push_back(std::make_shared<SampleReader>(open_file, ""));
    }
    const Index frame_count = stacked ? groups[0]->frame_count() : static_cast<Index>(groups.size());
    scan.coil_count = groups[0]->coil_count();
    scan.samples_per_readout = groups[0]->samples_per_readout();
    const std::vector<FrameLabel> labels = read_labels(file, frame_count);
    const std::vector<Orientation> orientations = read_orientations(file, "/frame_orientation", frame_count);
    Distinct distinct;
    for (const std::size_t i : options.selection.pick(labels, path_)) {
        const std::shared_ptr<SampleReader>& group = groups[stacked ? 0 : i];
        if (group->coil_count() != scan.coil_count) {
            throw InputError(fmt::format("{}: {} has {} coils, but {} has {}", path_, layout::frame_group(i),
                                         group->coil_count(), layout::frame_group(0), scan.coil_count));
        }
        if (group->samples_per_readout() != scan.samples_per_readout) {
            scan.samples_per_readout = 0;
        }
        const Index index = stacked ? static_cast<Index>(i) : 0;
        scan.frames.push_back(group->read(index, labels[i], distinct));
        scan.frames.back().read_kspace = [group, index] { return group->read_kspace(index); };
        if (!orientations.empty()) {
            scan.frames.back().orientation = orientations[i];
        }
    }
    std::stable_sort(scan.frames.begin(), scan.frames.end(),
                     [](const Frame& a, const Frame& b) { return a.label < b.label; });

    const std::string with_unit = (stacked ? "" : layout::frame_group(0)) + "/trajectory";
    if (file.has_attribute(with_unit, "unit")) {
        const auto text = file.read_attribute_scalar<std::string>(with_unit, "unit");
        stored.stated_unit = recognise_trajectory_unit(text);
        stored.stated_where = fmt::format("attribute unit of {}", with_unit);
        if (!stored.stated_unit) {
            stored.notes.push_back(
                fmt::format("{}: the unit \"{}\" of the trajectory is not known; trying the range", path_, text));
        }
    }
    for (const Orientation& orientation : read_orientations(file, "/orientation", 1)) {
        scan.geometry.orientation = orientation;
    }
    read_maps(file, scan);
    return stored;
}

}  // namespace recon
