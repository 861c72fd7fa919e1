#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"
#include "data/formats/mrd/mrd_header.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"

namespace recon {

/// Where the samples of an encoding lie: as stored with each acquisition, or as its counters say.
class MrdTrajectorySource {
public:
    /// @param has_other_positions  from a file of their own: those of acquisitions without any are zero until then
    /// Planar is a trajectory of two components, or of a third that is 0 throughout.
    /// @param matrix_size  of the header; z becomes 1 where it is a planar trajectory's that nothing stacks
    /// @param notes  what was noticed is added here
    /// @throws InputError if some acquisitions have no trajectory from anywhere
    MrdTrajectorySource(const std::string& path, const MrdAcquisitions& acquisitions, const MrdSorting& sorting,
                        const ISMRMRD::Encoding& encoding, bool has_other_positions, PerAxis<Index>& matrix_size,
                        std::vector<std::string>& notes);

    bool is_cartesian() const { return cartesian_; }   ///< all of it from the counters
    bool z_from_step() const { return z_from_step_; }  ///< kz in cycles per FOV, from kspace_encode_step_2

    /// Of a readout, that of k = 0: as its head says, but for Cartesian ones whose heads cannot mean it.
    Index centre_sample(const MrdAcquisitions::Head& head) const {
        return middle_ > 0 ? middle_ : Index{head.center_sample};
    }

    /// @param positions  the stored trajectory of the acquisition, in the unit of the file
    PerAxis<double> position(const MrdAcquisitions::Head& head, Index sample, std::span<const float> positions) const;

private:
    /// Some programs leave center_sample 0, which of whole readouts would put the echo at their edge.
    void set_middle(const std::vector<MrdAcquisitions::Head>& heads, const MrdSorting& sorting, Index voxels,
                    std::vector<std::string>& notes);

    bool cartesian_ = false;
    bool z_from_step_ = false;
    Index middle_ = 0;  ///< 0: the heads say it
    double centre_step_1_ = 0;
    double centre_step_2_ = 0;
};

}  // namespace recon
