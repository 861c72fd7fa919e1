#pragma once

#include <string>
#include <vector>

#include "core/heart/excitation.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/hdf5_file.hpp"

namespace recon::heart {

/// The file of a run: frames in single precision as they come, the last state in double (docs/heart.md).
class HeartFile {
public:
    /// @throws InputError if it cannot be written
    HeartFile(const std::string& path, const ExcitationSetup& setup, Index frame_count);

    void add_frame(const ExcitationState& state, Index step, double time);
    /// Writes the last state, and makes the file appear.
    void finish(const ExcitationState& state, Index step, const std::string& run_record);

private:
    AtomicOutput output_;
    H5File file_;
    Index frame_count_;
    std::vector<double> times_;
    std::vector<Index> steps_;
};

/// Takes the last state of such a file up again. @return the steps that led to it
/// @throws InputError if the file is of another sheet, model or step
Index read_last_state(const std::string& path, const ExcitationSetup& setup, Excitation& sheet);

}  // namespace recon::heart
