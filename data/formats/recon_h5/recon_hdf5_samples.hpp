#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"
#include "core/parallel/share.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/axis_names.hpp"
#include "data/reading/scan/scan_checks.hpp"

namespace recon {

/// What frames of a series have in common, each once.
struct DistinctSamples {
    DistinctTrajectories trajectories;
    DistinctLists<float> weights;
    DistinctLists<float> times;
};

/// Where the positions of samples come from. From elsewhere: those of the file, if it has any, are not looked at, and 0
/// stands for them.
enum class Positions { own, from_elsewhere };

/// The samples of all frames that one group of the project's own layout holds. All throw InputError.
class ReconHdf5Samples {
public:
    ReconHdf5Samples(std::shared_ptr<const H5File> file, std::string group, Positions positions);

    Index frame_count() const { return kspace_.extent("frame"); }
    Index coil_count() const { return kspace_.extent("coil"); }
    Index samples_per_readout() const { return kspace_.has("readout") ? kspace_.extent("sample") : 0; }

    /// All but k-space.
    Frame read(Index index, const FrameLabel& label, DistinctSamples& distinct);
    std::vector<cfloat> read_kspace(Index index) const;
    std::vector<cfloat> read_coils(Index index, const Share& coils) const;

private:
    template <class T>
    std::vector<T> rows(const std::string& name, bool frame_axis, Index index) const;
    void require(bool condition, const std::string& name, const std::string& expected) const;
    void require_same_axes(const NamedAxes& axes, const std::string& name) const;
    std::shared_ptr<const Trajectory> trajectory(Index index);
    template <class T>
    void separate(const std::vector<T>& values, Index dimensions, Trajectory& trajectory) const;
    std::vector<float> per_sample(const std::string& name, Index index) const;

    std::shared_ptr<const H5File> open_file_;
    const H5File& file_;
    std::string group_;
    Positions positions_;
    NamedAxes kspace_;
    Index sample_count_;
    std::shared_ptr<const Trajectory> shared_trajectory_;
};

}  // namespace recon
