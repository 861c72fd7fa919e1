#include "data/formats/recon_h5/recon_hdf5_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_layout.hpp"
#include "data/reading/maps_of_slices.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/stored_field_maps.hpp"

namespace recon {
namespace {

using Texts = std::vector<std::string>;
using Extents = std::vector<Index>;

void require(bool condition, const std::string& path, const std::string& what) {
    if (!condition) {
        throw ShapeError(fmt::format("{}: cannot write the scan: {}", path, what));
    }
}

/// Everything about the samples of frames of one length: in the root if all frames are alike, else a group a frame.
class SampleWriter {
public:
    SampleWriter(H5File& file, const Scan& scan, std::string group, std::span<const Frame> frames)
        : file_(file), scan_(scan), group_(std::move(group)), frames_(frames), several_(frames.size() > 1) {
        const Index samples = frames[0].sample_count();
        const Index readout = scan.samples_per_readout;
        if (readout > 0 && samples % readout == 0) {
            sample_extents_ = {samples / readout, readout};
            sample_axes_ = {"readout", "sample"};
        } else {
            sample_extents_ = {samples};
            sample_axes_ = {"sample"};
        }
    }

    void write() {
        put<cfloat>("kspace", true, {scan_.coil_count}, {"coil"},
                    [](const Frame& f) -> const auto& { return f.kspace; }, {});
        write_trajectory();
        const auto weights = [](const Frame& f) -> const auto& { return f.density_weights; };
        const auto times = [](const Frame& f) -> const auto& { return f.sample_times_s; };
        write_per_sample("density_weights", weights);
        write_per_sample("sample_times_s", times);
    }

private:
    template <class T, class Get>
    void put(const std::string& name, bool frame_axis, Extents extents, Texts axes, Get&& get, const Extents& last) {
        extents.insert(extents.end(), sample_extents_.begin(), sample_extents_.end());
        axes.insert(axes.end(), sample_axes_.begin(), sample_axes_.end());
        extents.insert(extents.end(), last.begin(), last.end());
        if (!last.empty()) {
            axes.emplace_back("dimension");
        }
        const std::string path = group_ + "/" + name;
        if (several_ && frame_axis) {
            extents.insert(extents.begin(), static_cast<Index>(frames_.size()));
            axes.insert(axes.begin(), "frame");
            file_.create_dataset<T>(path, extents);
            for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
                file_.write_rows<T>(path, static_cast<Index>(frame), std::span<const T>(get(frames_[frame])));
            }
        } else {
            file_.write<T>(path, extents, std::span<const T>(get(frames_[0])));
        }
        file_.write_attribute(path, "axes", axes);
    }

    template <class Get>
    void write_per_sample(const std::string& name, Get&& get) {
        if (get(frames_[0]).empty()) {
            return;
        }
        const bool same = std::all_of(frames_.begin(), frames_.end(),
                                      [&](const Frame& frame) { return get(frame) == get(frames_[0]); });
        put<float>(name, !same, {}, {}, get, {});
    }

    void write_trajectory() {
        const bool same = std::all_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
            return frame.trajectory == frames_[0].trajectory || frame.trajectory->k == frames_[0].trajectory->k;
        });
        const bool single_is_exact = std::all_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
            return std::all_of(frame.trajectory->k.begin(), frame.trajectory->k.end(), [](const auto& component) {
                return std::all_of(component.begin(), component.end(),
                                   [](double k) { return static_cast<double>(static_cast<float>(k)) == k; });
            });
        });
        with_precision(single_is_exact ? Precision::single : Precision::double_, [&](auto real) {
            using T = decltype(real);
            const auto interleaved = [](const Frame& frame) {
                std::vector<T> values;
                values.reserve(3 * frame.trajectory->k[0].size());
                for (std::size_t s = 0; s < frame.trajectory->k[0].size(); ++s) {
                    for (const auto& component : frame.trajectory->k) {
                        values.push_back(static_cast<T>(component[s]));
                    }
                }
                return values;
            };
            put<T>("trajectory", !same, {}, {}, interleaved, {3});
        });
        file_.write_attribute(group_ + "/trajectory", "unit", "cycles/FOV");
        file_.write_attribute(group_ + "/trajectory", "dimensions", layout::xyz);
    }

    H5File& file_;
    const Scan& scan_;
    std::string group_;
    std::span<const Frame> frames_;
    bool several_;
    Extents sample_extents_;
    Texts sample_axes_;
};

void check_frames(const Scan& scan, const std::string& path) {
    require(!scan.frames.empty(), path, "it has no frames");
    for (const Frame& frame : scan.frames) {
        require(frame.trajectory != nullptr && frame.sample_count() > 0, path, "a frame has no trajectory");
        const auto samples = static_cast<std::size_t>(frame.sample_count());
        for (const auto& component : frame.trajectory->k) {
            require(component.size() == samples, path, "the components of a trajectory differ in length");
        }
        require(frame.kspace.size() == samples * static_cast<std::size_t>(scan.coil_count), path,
                fmt::format("a frame has {} k-space values for {} samples of {} coils", frame.kspace.size(), samples,
                            scan.coil_count));
        for (const auto* values : {&frame.density_weights, &frame.sample_times_s}) {
            require(values->empty() || values->size() == samples, path, "weights or times do not match the samples");
        }
    }
}

/// True if all frames fit into arrays with a frame axis.
bool frames_are_alike(const std::vector<Frame>& frames) {
    return std::all_of(frames.begin(), frames.end(), [&](const Frame& frame) {
        return frame.sample_count() == frames[0].sample_count() &&
               frame.density_weights.empty() == frames[0].density_weights.empty() &&
               frame.sample_times_s.empty() == frames[0].sample_times_s.empty();
    });
}

void write_frame_labels(H5File& file, const Scan& scan) {
    const std::vector<Index> labels = rows_of_labels(scan.frames);
    if (labels.empty()) {
        return;
    }
    std::vector<std::string> columns;
    for (const LabelPart& part : label_parts) {
        columns.emplace_back(part.name);
    }
    file.write("/frame_labels", {std::ssize(scan.frames), std::ssize(label_parts)}, labels);
    file.write_attribute("/frame_labels", "columns", columns);
}

void append(std::vector<double>& values, const Orientation& orientation) {
    for (const auto& vector :
         {orientation.centre_mm, orientation.x_direction, orientation.y_direction, orientation.z_direction}) {
        values.insert(values.end(), vector.begin(), vector.end());
    }
}

void write_orientation(H5File& file, const Scan& scan) {
    const auto describe = [&](const std::string& name) {
        file.write_attribute(name, "rows", layout::orientation_rows);
        file.write_attribute(name, "coordinates", "LPS, as in MRD");
    };
    if (scan.geometry.orientation) {
        std::vector<double> values;
        append(values, *scan.geometry.orientation);
        file.write("/orientation", {4, 3}, values);
        describe("/orientation");
    }
    const bool per_frame = std::all_of(scan.frames.begin(), scan.frames.end(),
                                       [](const Frame& frame) { return frame.orientation.has_value(); });
    if (per_frame) {
        std::vector<double> values;
        for (const Frame& frame : scan.frames) {
            append(values, *frame.orientation);
        }
        file.write("/frame_orientation", {static_cast<Index>(scan.frames.size()), 4, 3}, values);
        describe("/frame_orientation");
    }
}

void write_maps(H5File& file, const Scan& scan, const std::string& path) {
    if (!scan.coil_maps.empty()) {
        file.write("/coil_maps", extents_of_maps(scan), stored_coil_maps(scan).values);
        file.write_attribute("/coil_maps", "axes", axes_of_maps(scan));
    }
    if (!scan.off_resonance_hz.empty()) {
        file.write("/off_resonance_hz", extents_of_field_maps(scan, scan.off_resonance_hz), scan.off_resonance_hz);
        file.write_attribute("/off_resonance_hz", "axes", axes_of_field_maps(scan));
    }
    if (!scan.relaxation_rate_per_s.empty()) {
        file.write("/relaxation_rate_per_s", extents_of_field_maps(scan, scan.relaxation_rate_per_s),
                   scan.relaxation_rate_per_s);
        file.write_attribute("/relaxation_rate_per_s", "axes", axes_of_field_maps(scan));
    }
    if (!scan.noise.empty()) {
        const auto count = static_cast<Index>(scan.noise.size());
        require(count % scan.coil_count == 0, path, "the noise does not match the coils");
        file.write("/noise", {scan.coil_count, count / scan.coil_count}, scan.noise);
        file.write_attribute("/noise", "axes", Texts{"coil", "sample"});
    }
}

}  // namespace

void write_scan(const Scan& scan, const std::string& path) {
    check_frames(scan, path);
    AtomicOutput output(path);
    H5File file = H5File::create(output.temporary_path());
    file.write_attribute("/", "format", layout::format_name);
    file.write_attribute("/", "version", layout::version);
    const auto& matrix = scan.geometry.matrix_size;
    const auto& field_of_view = scan.geometry.field_of_view_mm;
    file.write_attribute("/", "matrix_size", std::vector<Index>(matrix.begin(), matrix.end()));
    file.write_attribute("/", "field_of_view_mm", std::vector<double>(field_of_view.begin(), field_of_view.end()));

    if (frames_are_alike(scan.frames)) {
        SampleWriter(file, scan, "", scan.frames).write();
    } else {
        for (std::size_t frame = 0; frame < scan.frames.size(); ++frame) {
            SampleWriter(file, scan, layout::frame_group(frame), std::span(scan.frames).subspan(frame, 1)).write();
        }
    }
    write_frame_labels(file, scan);
    write_orientation(file, scan);
    write_maps(file, scan, path);
    file.close();
    output.commit();
}

}  // namespace recon
