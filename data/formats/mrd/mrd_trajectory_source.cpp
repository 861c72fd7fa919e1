#include "data/formats/mrd/mrd_trajectory_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace recon {
namespace {

/// The step at the centre of k-space. One of 0 is taken as not set where steps go beyond the band's edge then.
double centre_of(const ISMRMRD::Optional<ISMRMRD::Limit>& limit, std::uint16_t highest_step, Index voxels,
                 const char* name, std::vector<std::string>& notes) {
    if (limit && (limit->center > 0 || highest_step <= voxels / 2)) {
        return static_cast<double>(limit->center);
    }
    if (limit) {
        notes.push_back(
            fmt::format("the centre of {} is 0 and its highest {}, beyond the edge of {} voxels: taken as not set, the "
                        "centre is step {}",
                        name, highest_step, voxels, voxels / 2));
    }
    return std::floor(static_cast<double>(voxels) / 2);
}

/// Whether a third component that there is is 0 throughout. Looks no further than the first that is not.
bool never_leaves_kz_0(const MrdAcquisitions& acquisitions, const MrdSorting& sorting) {
    const std::vector<MrdAcquisitions::Head>& heads = acquisitions.heads();
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const std::size_t dimensions = heads[i].trajectory_dimensions;
        if (!sorting.imaging[i] || dimensions < 3) {
            continue;
        }
        bool moves = false;
        const Index number = static_cast<Index>(i);
        acquisitions.visit({&number, 1}, MrdAcquisitions::Part::trajectory,
                           [&](std::size_t, std::span<const float> positions, std::span<const cfloat>) {
                               for (std::size_t k = 2; k < positions.size(); k += dimensions) {
                                   moves = moves || positions[k] != 0;
                               }
                           });
        if (moves) {
            return false;
        }
    }
    return true;
}

}  // namespace

void MrdTrajectorySource::set_middle(const std::vector<MrdAcquisitions::Head>& heads, const MrdSorting& sorting,
                                     Index voxels, std::vector<std::string>& notes) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const bool may_be_unset = heads[i].center_sample == 0 && heads[i].number_of_samples == voxels && voxels > 1;
        if (sorting.imaging[i] && !may_be_unset) {
            return;
        }
    }
    middle_ = voxels / 2;
    notes.push_back(
        fmt::format("center_sample is 0 in all readouts of {0} samples, as many as voxels along x: taken as not "
                    "set, the middle of k-space is sample {1}",
                    voxels, middle_));
}

MrdTrajectorySource::MrdTrajectorySource(const std::string& path, const MrdAcquisitions& acquisitions,
                                         const MrdSorting& sorting, const ISMRMRD::Encoding& encoding,
                                         bool has_other_positions, PerAxis<Index>& matrix_size,
                                         std::vector<std::string>& notes) {
    const std::vector<MrdAcquisitions::Head>& heads = acquisitions.heads();
    const bool flat = matrix_size[2] > 1 && never_leaves_kz_0(acquisitions, sorting);
    Index without = 0;
    Index planar = 0;
    Index total = 0;
    Index more_than_three = 0;
    std::uint16_t lowest_step = 65535;
    std::uint16_t highest_step_1 = 0, highest_step = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (sorting.imaging[i]) {
            ++total;
            without += heads[i].trajectory_dimensions == 0 ? 1 : 0;
            planar += heads[i].trajectory_dimensions == 2 || (heads[i].trajectory_dimensions > 2 && flat) ? 1 : 0;
            more_than_three += heads[i].trajectory_dimensions > 3 ? 1 : 0;
            lowest_step = std::min(lowest_step, heads[i].idx.kspace_encode_step_2);
            highest_step_1 = std::max(highest_step_1, heads[i].idx.kspace_encode_step_1);
            highest_step = std::max(highest_step, heads[i].idx.kspace_encode_step_2);
        }
    }
    if (more_than_three > 0) {
        notes.push_back(
            fmt::format("more than 3 numbers a sample in the trajectory of {}; those beyond x, y, z are ignored",
                        counted(more_than_three, "acquisition")));
    }
    const ISMRMRD::EncodingLimits& limits = encoding.encodingLimits;
    const auto centre_step_2 = [&] {
        return centre_of(limits.kspace_encoding_step_2, highest_step, matrix_size[2], "kspace_encoding_step_2", notes);
    };
    if (without == total && encoding.trajectory == ISMRMRD::TrajectoryType::CARTESIAN) {
        cartesian_ = true;
        centre_step_1_ =
            centre_of(limits.kspace_encoding_step_1, highest_step_1, matrix_size[1], "kspace_encoding_step_1", notes);
        centre_step_2_ = centre_step_2();
        set_middle(heads, sorting, matrix_size[0], notes);
        notes.emplace_back("Cartesian: the trajectory follows from the counters of the acquisitions");
    } else if (without > 0 && !has_other_positions) {
        throw InputError(
            fmt::format("{}: {} of {} imaging acquisitions have no trajectory, and the header does not call "
                        "the encoding Cartesian; write the trajectory into the file, or name one of its own with "
                        "`trajectory`",
                        path, without, total));
    } else if (planar == total && matrix_size[2] > 1 && highest_step > lowest_step) {
        z_from_step_ = true;
        centre_step_2_ = centre_step_2();
        notes.emplace_back("the trajectory is planar and stacked: kz is kspace_encode_step_2");
    } else if (planar == total && matrix_size[2] > 1) {
        notes.push_back(
            fmt::format("the header says {} voxels along z, but the trajectory is planar: "
                        "reconstructing one slice a frame",
                        matrix_size[2]));
        matrix_size[2] = 1;
    }
}

PerAxis<double> MrdTrajectorySource::position(const MrdAcquisitions::Head& head, Index sample,
                                              std::span<const float> positions) const {
    if (cartesian_) {
        const bool reversed = MrdAcquisitions::has_flag(head, ISMRMRD::ISMRMRD_ACQ_IS_REVERSE);
        const auto from_centre = static_cast<double>(sample - centre_sample(head));
        return {reversed ? -from_centre : from_centre, head.idx.kspace_encode_step_1 - centre_step_1_,
                head.idx.kspace_encode_step_2 - centre_step_2_};
    }
    PerAxis<double> k{};
    const auto dimensions = static_cast<std::size_t>(head.trajectory_dimensions);
    for (std::size_t axis = 0; axis < std::min<std::size_t>(dimensions, 3); ++axis) {
        k[axis] = positions[static_cast<std::size_t>(sample) * dimensions + axis];
    }
    if (z_from_step_) {
        k[2] = head.idx.kspace_encode_step_2 - centre_step_2_;
    }
    return k;
}

}  // namespace recon
