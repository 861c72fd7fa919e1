#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

constexpr const char* rrsg_kspace = "/rawdata";
constexpr const char* rrsg_trajectory = "/trajectory";

bool is_rrsg(const std::string& path) {
    if (!H5File::looks_like_hdf5(path)) {
        return false;
    }
    const H5File file = H5File::open(path);
    return file.has_dataset(rrsg_kspace) && file.has_dataset(rrsg_trajectory);
}

/// The numbers of samples, readouts and coils of k-space [1, sample, readout, coil].
struct RrsgExtents {
    Index length, readouts, coils;

    /// Where the sample `s` of readout `r` is in the file, where all samples of a place in the readouts are together.
    Index place(Index r, Index s) const { return s * readouts + r; }
};

RrsgExtents rrsg_extents(const H5File& file) {
    file.require_plausible_size(rrsg_kspace);
    const H5Info info = file.dataset_info(rrsg_kspace);
    std::vector<Index> extents = info.extents;
    if (extents.size() == 4 && extents[0] == 1) {
        extents.erase(extents.begin());
    }
    if (extents.size() != 3 || info.kind != H5Kind::complex || info.element_count() < 1) {
        throw InputError(fmt::format("{}: dataset {} is {}, expected complex [1, sample, readout, coil]", file.path(),
                                     rrsg_kspace, info.text()));
    }
    return {extents[0], extents[1], extents[2]};
}

/// Positions of readouts one after the other, of [dimension, sample, readout].
std::shared_ptr<const Trajectory> read_rrsg_positions(const H5File& file, const RrsgExtents& extents) {
    const H5Info info = file.dataset_info(rrsg_trajectory);
    const Index samples = extents.length * extents.readouts;
    const bool fits = info.kind == H5Kind::real && info.extents.size() == 3 &&
                      (info.extents[0] == 2 || info.extents[0] == 3) && info.extents[1] == extents.length &&
                      info.extents[2] == extents.readouts;
    if (!fits) {
        throw InputError(
            fmt::format("{}: dataset {} is {}, expected real [2 or 3, {}, {}] (dimension, sample, readout)",
                        file.path(), rrsg_trajectory, info.text(), extents.length, extents.readouts));
    }
    const auto values = file.read<double>(rrsg_trajectory);
    auto trajectory = std::make_shared<Trajectory>();
    for (Index axis = 0; axis < 3; ++axis) {
        std::vector<double>& k = trajectory->k[static_cast<std::size_t>(axis)];
        for (Index r = 0; r < extents.readouts; ++r) {
            for (Index s = 0; s < extents.length; ++s) {
                const Index at = axis * samples + extents.place(r, s);
                k.push_back(axis < info.extents[0] ? values[static_cast<std::size_t>(at)] : 0);
            }
        }
    }
    return trajectory;
}

std::vector<cfloat> read_rrsg_kspace(const H5File& file, const RrsgExtents& extents) {
    const auto values = file.read<cfloat>(rrsg_kspace);
    std::vector<cfloat> kspace;
    kspace.reserve(values.size());
    for (Index c = 0; c < extents.coils; ++c) {
        for (Index r = 0; r < extents.readouts; ++r) {
            for (Index s = 0; s < extents.length; ++s) {
                kspace.push_back(values[static_cast<std::size_t>(extents.place(r, s) * extents.coils + c)]);
            }
        }
    }
    return kspace;
}

/// Whether positions are in cycles per field of view, and not in a unit in which the edge is at 0.5 or pi.
bool are_cycles_per_fov(const Trajectory& trajectory) {
    constexpr double largest_edge = 3.5;
    const auto is_beyond = [](double k) { return std::abs(k) > largest_edge; };
    return std::any_of(trajectory.k.begin(), trajectory.k.end(),
                       [&](const auto& k) { return std::any_of(k.begin(), k.end(), is_beyond); });
}

/// HDF5 of the CG-SENSE challenge of the reproducible research study group [Maier 2021]: `rawdata` [1, sample, readout,
/// coil] and `trajectory` [dimension, sample, readout] in cycles per field of view.
class RrsgReader final : public ScanReader {
public:
    explicit RrsgReader(std::string path) : path_(std::move(path)) {}
    std::string format() const override { return "RRSG"; }

    StoredScan read(const ScanReadOptions& options) const override {
        const auto file = std::make_shared<const H5File>(H5File::open(path_));
        const RrsgExtents extents = rrsg_extents(*file);
        StoredScan stored;
        Scan& scan = stored.scan;
        scan.path = path_;
        scan.format = format();
        scan.coil_count = extents.coils;
        scan.samples_per_readout = extents.length;
        scan.geometry.matrix_size = {0, 0, 0};
        options.selection.pick({FrameLabel()}, path_);
        Frame& frame = scan.frames.emplace_back();
        frame.trajectory = read_rrsg_positions(*file, extents);
        frame.read_kspace = [file, extents] { return read_rrsg_kspace(*file, extents); };
        if (are_cycles_per_fov(*frame.trajectory)) {
            stored.stated_unit = TrajectoryUnit::cycles_per_fov;
            stored.stated_where = "the RRSG format";
            stored.matrix_by_trajectory = true;
        }
        return stored;
    }

private:
    std::string path_;
};

std::unique_ptr<ScanReader> rrsg_reader(const std::string& path) { return std::make_unique<RrsgReader>(path); }

const Registration registered_rrsg(formats(), Format{.name = "rrsg",
                                                     .title = "an RRSG challenge HDF5 file",
                                                     .recognises = is_rrsg,
                                                     .scan_reader = rrsg_reader});

}  // namespace
}  // namespace recon
