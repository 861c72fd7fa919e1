#include "data/formats/bart/bart_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "data/formats/bart/bart_file.hpp"
#include "data/formats/bart/bart_frames.hpp"
#include "data/reading/trajectory_file.hpp"

namespace recon {
namespace {

void require_known_dimensions(const BartFile& file) {
    for (std::size_t i = bart_maps; i < bart_rank; ++i) {
        if (file.extents[i] > 1 && !tells_frames(i)) {
            throw InputError(
                fmt::format("{}: has {} {}, expected k-space with READ, PHS1, PHS2, COIL and frames in "
                            "TE, TIME, TIME2, SLICE or BATCH; take one of them with: bart slice {} 0",
                            file.cfl_path, bart_dimension_names[i], file.extents[i], i));
        }
    }
}

/// Trajectories of frames out of a file [3, samples, readouts, 1, ...], which may be common to some of them.
class BartTrajectory {
public:
    explicit BartTrajectory(const std::string& path, const BartFile& kspace) : file_(open_bart(path)) {
        const BartExtents& extents = file_.extents;
        bool fits = extents[bart_read] >= 1 && extents[bart_read] <= 3 && extents[bart_coil] == 1;
        for (std::size_t i = bart_maps; i < bart_rank; ++i) {
            fits = fits && (extents[i] == 1 || extents[i] == kspace.extents[i]);
        }
        if (!fits) {
            throw InputError(
                fmt::format("{}: has {}, expected positions with READ 3 for the k-space of {}, which has "
                            "{}",
                            file_.cfl_path, file_.text(), kspace.cfl_path, kspace.text()));
        }
        const bool both_have_readouts = extents[bart_phase2] > 1 && kspace.extents[bart_phase2] > 1;
        if (both_have_readouts && extents[bart_phase1] != kspace.extents[bart_phase1]) {
            throw InputError(
                fmt::format("{}: has {}, expected readouts (PHS1) of {} samples, as {} has ({}): are readouts "
                            "and samples exchanged in one of them?",
                            file_.cfl_path, file_.text(), kspace.extents[bart_phase1], kspace.cfl_path, kspace.text()));
        }
    }
    Index samples_per_readout() const { return file_.extents[bart_phase1]; }

    std::shared_ptr<const Trajectory> of(const BartFramePlace& place, DistinctTrajectories& distinct) const {
        const Index dimensions = file_.extents[bart_read];
        const Index count = file_.extents[bart_phase1] * file_.extents[bart_phase2];
        StoredArray array;
        array.where = file_.cfl_path;
        array.extents = {count, dimensions};
        array.values = file_.read(place.block(file_.extents) * count * dimensions, count * dimensions);
        return distinct.shared(trajectory_of(std::move(array)).frames.front());
    }

private:
    BartFile file_;
};

/// Positions of a full grid, index floor(N/2) of each axis at 0, in the order of the file.
Trajectory grid_positions(const BartExtents& extents) {
    Trajectory grid;
    for (Index z = 0; z < extents[bart_phase2]; ++z) {
        for (Index y = 0; y < extents[bart_phase1]; ++y) {
            for (Index x = 0; x < extents[bart_read]; ++x) {
                grid.k[0].push_back(static_cast<double>(x - extents[bart_read] / 2));
                grid.k[1].push_back(static_cast<double>(y - extents[bart_phase1] / 2));
                grid.k[2].push_back(static_cast<double>(z - extents[bart_phase2] / 2));
            }
        }
    }
    return grid;
}

/// Leaves out what is 0 in all coils, as BART finds the samples that were measured.
void keep_measured(const Trajectory& grid, std::vector<cfloat> kspace, Frame& frame, DistinctTrajectories& distinct) {
    const auto total = static_cast<std::size_t>(grid.sample_count());
    const std::size_t coil_count = kspace.size() / total;
    std::vector<std::size_t> measured;
    for (std::size_t s = 0; s < total; ++s) {
        bool any = false;
        for (std::size_t coil = 0; coil < coil_count && !any; ++coil) {
            any = kspace[coil * total + s] != cfloat(0);
        }
        if (any) {
            measured.push_back(s);
        }
    }
    const auto trajectory = std::make_shared<Trajectory>();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const std::size_t s : measured) {
            trajectory->k[axis].push_back(grid.k[axis][s]);
        }
    }
    for (std::size_t coil = 0; coil < coil_count; ++coil) {
        for (const std::size_t s : measured) {
            frame.kspace.push_back(kspace[coil * total + s]);
        }
    }
    frame.trajectory = distinct.shared(trajectory);
}

}  // namespace

StoredScan BartReader::read(const ScanReadOptions& options) const {
    const BartFile file = open_bart(path_);
    require_known_dimensions(file);
    const BartExtents& extents = file.extents;
    const Index sample_count = extents[bart_read] * extents[bart_phase1] * extents[bart_phase2];
    const bool has_trajectory = !options.trajectory_path.empty();
    if (!has_trajectory && extents[bart_read] == 1) {
        throw InputError(
            fmt::format("{}: has READ 1, which is k-space along a trajectory; give it with `trajectory`, a "
                        "file of [3, samples, readouts]",
                        path_));
    }
    if (!has_trajectory && extents[bart_read] <= 3 && extents[bart_coil] == 1) {
        throw InputError(fmt::format("{}: has READ {}: a trajectory, give it with `trajectory` and k-space with `scan`",
                                     path_, extents[bart_read]));
    }
    StoredScan stored;
    Scan& scan = stored.scan;
    scan.path = path_;
    scan.format = format();
    scan.coil_count = extents[bart_coil];
    scan.geometry.matrix_size = {0, 0, 0};
    stored.unitary = true;
    stored.took_trajectory = true;
    stored.stated_unit = TrajectoryUnit::cycles_per_fov;
    stored.stated_where = "the BART format";

    const std::vector<BartFramePlace> places = bart_frame_places(extents);
    std::vector<FrameLabel> labels;
    for (const BartFramePlace& place : places) {
        labels.push_back(place.label);
    }
    const std::vector<std::size_t> picked = options.selection.pick(labels, path_);
    const Index block = sample_count * scan.coil_count;
    DistinctTrajectories distinct;
    if (!has_trajectory) {
        stored.notes.emplace_back(
            "taken for k-space on a Cartesian grid, of which samples that are 0 in all coils were not measured; files "
            "of BART do not say whether they are that, images or coil maps");
        scan.geometry.matrix_size = {extents[bart_read], extents[bart_phase1], extents[bart_phase2]};
        const Trajectory grid = grid_positions(extents);
        for (const std::size_t i : picked) {
            Frame& frame = scan.frames.emplace_back();
            frame.label = labels[i];
            keep_measured(grid, file.read(places[i].block(extents) * block, block), frame, distinct);
        }
        return stored;
    }

    const bool of_bart = is_bart(options.trajectory_path);
    const std::optional<BartTrajectory> own =
        of_bart ? std::optional<BartTrajectory>(std::in_place, options.trajectory_path, file) : std::nullopt;
    const bool in_order = extents[bart_slice] == 1;
    const StoredTrajectory other =
        of_bart ? StoredTrajectory()
                : read_trajectory(options.trajectory_path).divided(std::ssize(places), sample_count, in_order);
    if (!of_bart) {
        stored.stated_unit = other.unit;
        stored.stated_where = other.unit_stated_by;
        take_field_of_view(stored, other);
    }
    scan.samples_per_readout = of_bart ? own->samples_per_readout() : other.samples_per_readout;
    stored.matrix_by_trajectory = true;
    for (const std::size_t i : picked) {
        Frame& frame = scan.frames.emplace_back();
        frame.label = labels[i];
        frame.trajectory = of_bart ? own->of(places[i], distinct)
                                   : other.of_frame(static_cast<Index>(i), static_cast<Index>(places.size()));
        if (frame.sample_count() != sample_count) {
            throw InputError(fmt::format("{}: has {} positions, expected {}, as {} has samples ({})",
                                         options.trajectory_path, frame.sample_count(), sample_count, path_,
                                         file.text()));
        }
        const Index first = places[i].block(extents) * block;
        frame.read_kspace = [file, first, block] { return file.read(first, block); };
    }
    return stored;
}

}  // namespace recon
