#pragma once

#include <string>
#include <vector>

#include "core/heart/excitation.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/hdf5_file.hpp"

namespace recon::heart {

/// Frames that an earlier run made, to be kept in the file of the one that goes on from it.
struct EarlierFrames {
    std::string path;       ///< of its file; empty: none
    Index before_step = 0;  ///< those of earlier steps; the others come again
};

/// The file of a run: frames in single precision as they come, the last state in double (docs/heart.md).
class HeartFile {
public:
    /// @param frame_count  to be added, beside the earlier ones
    /// @throws InputError if it cannot be written, or the earlier file not be read
    HeartFile(const std::string& path, const ExcitationSetup& setup, Index frame_count, const EarlierFrames& earlier);

    void add_frame(const ExcitationState& state, Index step, double time);
    /// Writes the last state, and makes the file appear.
    void finish(const ExcitationState& state, Index step, const std::string& run_record);

private:
    void add_earlier(const H5File& file, Index count);

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
