#include "data/formats/impatient/impatient_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.hpp"
#include "data/formats/impatient/impatient_file.hpp"

namespace recon {
namespace {

class Folder {
public:
    explicit Folder(const std::string& path) : path_(path) {}
    std::string file(const std::string& name) const {
        return (std::filesystem::path(path_) / (name + ".dat")).string();
    }
    bool has(const std::string& name) const {
        std::error_code ignored;
        return std::filesystem::is_regular_file(file(name), ignored);
    }
    /// @throws InputError if the file does not hold `count` numbers
    ImpatientFile read(const std::string& name, Index count) const {
        ImpatientFile result = read_impatient_file(file(name));
        if (static_cast<Index>(result.values.size()) != count) {
            throw InputError(fmt::format("{}: holds {} numbers, expected {}", file(name), result.values.size(), count));
        }
        return result;
    }

private:
    std::string path_;
};

/// Positions along one axis: (i - floor(N/2)) / N + offset fields of view.
struct Axis {
    Index voxel_count = 1;
    double offset = 0;
    std::vector<Index> index;  ///< of each voxel of the file

    Axis(const std::vector<float>& positions, const std::string& where) {
        std::vector<double> distinct(positions.begin(), positions.end());
        if (!std::all_of(distinct.begin(), distinct.end(), [](double p) { return std::isfinite(p); })) {
            throw InputError(fmt::format("{}: has positions that are not finite", where));
        }
        std::sort(distinct.begin(), distinct.end());
        constexpr double rounding = 1e-6;  // positions are floats within a field of view
        distinct.erase(
            std::unique(distinct.begin(), distinct.end(), [](double a, double b) { return b - a < rounding; }),
            distinct.end());
        voxel_count = static_cast<Index>(distinct.size());
        const auto voxels = static_cast<double>(voxel_count);
        const auto origin = static_cast<double>(voxel_count / 2);
        for (std::size_t i = 0; i < distinct.size(); ++i) {
            offset += (distinct[i] - (static_cast<double>(i) - origin) / voxels) / voxels;
        }
        constexpr double uneven = 0.05;  // of a voxel
        for (std::size_t i = 0; i < distinct.size(); ++i) {
            const double expected = (static_cast<double>(i) - origin) / voxels + offset;
            if (std::abs(distinct[i] - expected) * voxels > uneven) {
                throw InputError(
                    fmt::format("{}: {} distinct positions from {} to {}, expected them 1/{} of a field of view "
                                "apart",
                                where, voxel_count, distinct.front(), distinct.back(), voxel_count));
            }
        }
        for (const float position : positions) {
            index.push_back(std::lround((position - offset) * voxels + origin));
        }
    }
};

/// Where the file keeps its voxels: read off their positions, so that any order of axes will do.
struct VoxelOrder {
    PerAxis<Index> matrix_size{};
    PerAxis<double> offset{};
    std::vector<std::size_t> target;  ///< of each voxel of the file, x fastest

    VoxelOrder(const Folder& folder, const std::string& where) {
        const std::vector<float> x = read_impatient_file(folder.file("ix")).values;
        const auto count = static_cast<Index>(x.size());
        const Axis axes[] = {Axis(x, folder.file("ix")), Axis(folder.read("iy", count).values, folder.file("iy")),
                             Axis(folder.read("iz", count).values, folder.file("iz"))};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            matrix_size[axis] = axes[axis].voxel_count;
            offset[axis] = axes[axis].offset;
        }
        const auto [nx, ny, nz] = matrix_size;
        std::vector<bool> taken(x.size(), false);
        bool complete = nx * ny <= count && nx * ny * nz == count;
        for (std::size_t i = 0; i < x.size() && complete; ++i) {
            target.push_back(
                static_cast<std::size_t>(axes[0].index[i] + nx * (axes[1].index[i] + ny * axes[2].index[i])));
            complete = target[i] < taken.size() && !taken[target[i]];
            taken[complete ? target[i] : 0] = true;
        }
        if (!complete) {
            throw InputError(
                fmt::format("{}: ix, iy, iz have {} voxels on {} x {} x {} distinct positions, expected each "
                            "position once",
                            where, count, nx, ny, nz));
        }
    }

    Index count() const { return static_cast<Index>(target.size()); }
    std::string text() const {
        return fmt::format(
            "voxels lie {:.4g}, {:.4g}, {:.4g} voxels off the usual grid; the data are demodulated to match",
            offset[0] * static_cast<double>(matrix_size[0]), offset[1] * static_cast<double>(matrix_size[1]),
            offset[2] * static_cast<double>(matrix_size[2]));
    }
};

/// With voxels at g + o, d = sum rho exp(-i 2 pi k.(g + o)): d exp(+i 2 pi k.o) is the data of the grid g.
void demodulate(std::vector<cfloat>& kspace, const Trajectory& trajectory, const PerAxis<double>& offset) {
    const std::size_t samples = trajectory.k[0].size();
    for (std::size_t i = 0; i < kspace.size(); ++i) {
        double turns = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            turns += trajectory.k[axis][i % samples] * offset[axis];
        }
        kspace[i] = static_cast<cfloat>(cdouble(kspace[i]) * std::polar(1.0, 2 * pi * (turns - std::floor(turns))));
    }
}

std::vector<cfloat> complex_of(const std::vector<float>& real, const std::vector<float>& imaginary) {
    std::vector<cfloat> values(real.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = {real[i], imaginary[i]};
    }
    return values;
}

void read_coil_maps_of(const Folder& folder, const VoxelOrder& voxels, Scan& scan) {
    if (!folder.has("sensi_r") || !folder.has("sensi_i")) {
        return;
    }
    const Index count = voxels.count() * scan.coil_count;
    const std::vector<cfloat> stored =
        complex_of(folder.read("sensi_r", count).values, folder.read("sensi_i", count).values);
    const bool trivial = scan.coil_count == 1 && std::all_of(stored.begin(), stored.end(),
                                                             [](const cfloat& value) { return value == cfloat(1); });
    if (trivial) {
        return;
    }
    scan.coil_maps.resize(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::size_t coil_start = i / voxels.target.size() * voxels.target.size();
        scan.coil_maps[coil_start + voxels.target[i - coil_start]] = stored[i];
    }
}

void read_field_map(const Folder& folder, const VoxelOrder& voxels, StoredScan& stored) {
    if (!folder.has("fm")) {
        return;
    }
    const std::vector<float> radians_per_second = folder.read("fm", voxels.count()).values;
    if (std::all_of(radians_per_second.begin(), radians_per_second.end(), [](float value) { return value == 0; })) {
        stored.notes.emplace_back("the field map is zero everywhere and is left out");
        return;
    }
    stored.scan.off_resonance_hz.resize(radians_per_second.size());
    for (std::size_t i = 0; i < radians_per_second.size(); ++i) {
        stored.scan.off_resonance_hz[voxels.target[i]] = static_cast<float>(radians_per_second[i] / (2 * pi));
    }
}

}  // namespace

bool ImpatientReader::recognises(const std::string& folder) {
    const Folder files(folder);
    return files.has("kx") && files.has("ky") && files.has("kdata_r");
}

StoredScan ImpatientReader::read(const ScanReadOptions& options) const {
    const Folder folder(folder_);
    StoredScan stored;
    Scan& scan = stored.scan;
    scan.path = folder_;
    scan.format = format();
    stored.stated_unit = TrajectoryUnit::cycles_per_fov;
    stored.stated_where = "the IMPATIENT format";

    auto trajectory = std::make_shared<Trajectory>();
    const std::vector<float> kx = read_impatient_file(folder.file("kx")).values;
    const auto sample_count = static_cast<Index>(kx.size());
    trajectory->k[0].assign(kx.begin(), kx.end());
    for (const auto& [axis, name] : {std::pair<std::size_t, const char*>{1, "ky"}, {2, "kz"}}) {
        if (axis == 2 && !folder.has(name)) {
            trajectory->k[axis].assign(kx.size(), 0);
            continue;
        }
        const std::vector<float> values = folder.read(name, sample_count).values;
        trajectory->k[axis].assign(values.begin(), values.end());
    }

    const ImpatientFile real = read_impatient_file(folder.file("kdata_r"));
    const auto total = static_cast<Index>(real.values.size());
    if (total % sample_count != 0) {
        throw InputError(fmt::format("{}: holds {} numbers, expected a multiple of the {} samples in kx.dat",
                                     folder.file("kdata_r"), total, sample_count));
    }
    scan.coil_count = total / sample_count;
    if (real.coil_count > 1 && real.coil_count != scan.coil_count) {
        throw InputError(fmt::format("{}: announces {} coils but holds {} numbers for {} samples",
                                     folder.file("kdata_r"), real.coil_count, total, sample_count));
    }
    options.selection.pick({FrameLabel{}}, folder_);
    Frame frame;
    frame.kspace = complex_of(real.values, folder.read("kdata_i", total).values);
    if (folder.has("t")) {
        frame.sample_times_s = folder.read("t", sample_count).values;
    }

    const VoxelOrder voxels(folder, folder_);
    scan.geometry.matrix_size = voxels.matrix_size;
    constexpr double rounding = 1e-6;
    if (std::any_of(voxels.offset.begin(), voxels.offset.end(), [](double o) { return std::abs(o) > rounding; })) {
        stored.notes.push_back(voxels.text());
        demodulate(frame.kspace, *trajectory, voxels.offset);
    }
    frame.trajectory = std::move(trajectory);
    scan.frames.push_back(std::move(frame));
    read_coil_maps_of(folder, voxels, scan);
    read_field_map(folder, voxels, stored);
    return stored;
}

}  // namespace recon
