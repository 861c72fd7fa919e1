#include "data/formats/npy/npy_writer.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "data/files/write_bytes.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/npy/zip_archive.hpp"
#include "data/reading/maps_of_slices.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/stored_field_maps.hpp"

namespace recon {
namespace {

class NpzContents {
public:
    template <class T>
    void add(const std::string& name, std::vector<Index> extents, const std::vector<T>& values) {
        files_.emplace_back(name + ".npy", npy_bytes(extents, std::span<const T>(values)));
    }
    /// Nothing is written of an empty list.
    void add_reals(const std::string& name, const std::vector<Index>& extents, const std::vector<float>& values) {
        if (!values.empty()) {
            add(name, extents, std::vector<double>(values.begin(), values.end()));
        }
    }
    void add_text(const std::string& name, const std::string& text) {
        files_.emplace_back(name + ".npy", npy_text_bytes(text));
    }
    const auto& files() const { return files_; }

private:
    std::vector<std::pair<std::string, std::vector<std::byte>>> files_;
};

}  // namespace

void write_npz_scan(const Scan& scan, const std::string& path) {
    const Frame& first = scan.frames.front();
    const Index samples = scan.samples_per_readout > 0 ? scan.samples_per_readout : first.sample_count();
    const Index readouts = first.sample_count() / samples;
    std::vector<cfloat> kspace;
    for (const Frame& frame : scan.frames) {
        if (frame.trajectory->k != first.trajectory->k) {
            throw InputError(
                fmt::format("{}: this layout has one trajectory for all frames; write another format", path));
        }
        kspace.insert(kspace.end(), frame.kspace.begin(), frame.kspace.end());
    }
    std::vector<double> positions;
    for (std::size_t s = 0; s < first.trajectory->k[0].size(); ++s) {
        for (const std::vector<double>& k : first.trajectory->k) {
            positions.push_back(k[s]);
        }
    }
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    std::vector<Index> kspace_extents{scan.coil_count, readouts, samples};
    if (scan.frames.size() > 1) {
        kspace_extents.insert(kspace_extents.begin(), static_cast<Index>(scan.frames.size()));
    }
    NpzContents contents;
    contents.add("kspace", kspace_extents, kspace);
    contents.add("trajectory", {readouts, samples, 3}, positions);
    contents.add_text("trajectory_unit", "cycles/FOV");
    contents.add("matrix_size", {3}, std::vector<Index>{nx, ny, nz});
    const PerAxis<double>& fov_mm = scan.geometry.field_of_view_mm;
    contents.add("field_of_view_mm", {3}, std::vector<double>(fov_mm.begin(), fov_mm.end()));
    contents.add_reals("sample_times_s", {readouts, samples}, first.sample_times_s);
    contents.add_reals("density_weights", {readouts, samples}, first.density_weights);
    if (!scan.off_resonance_hz.empty()) {
        contents.add_reals("off_resonance_hz", extents_of_field_maps(scan, scan.off_resonance_hz),
                           scan.off_resonance_hz);
    }
    const std::vector<Index> labels = rows_of_labels(scan.frames);
    if (!labels.empty()) {
        contents.add("frame_labels", {std::ssize(scan.frames), std::ssize(label_parts)}, labels);
    }
    if (!scan.coil_maps.empty()) {
        contents.add("coil_maps", extents_of_maps(scan), stored_coil_maps(scan).values);
    }
    if (!scan.noise.empty()) {
        contents.add("noise", {scan.coil_count, static_cast<Index>(scan.noise.size()) / scan.coil_count}, scan.noise);
    }
    write_bytes(path, zip_bytes(contents.files(), path));
}

void write_npy_image(const Image& image, const std::string& path) {
    const auto [nx, ny, nz] = image.geometry.matrix_size;
    std::vector<Index> extents{nz, ny, nx};
    if (image.frame_count() > 1) {
        extents.insert(extents.begin(), image.frame_count());
    }
    write_bytes(path, npy_bytes(extents, std::span<const cfloat>(image.voxels)));
}

}  // namespace recon
