#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/stopwatch.hpp"
#include "data/files/checkpoint/checkpoint_file.hpp"
#include "solver/solution_keeper.hpp"

namespace recon {

/// What a run has come to, in a file from which another one takes it up (docs/resume.md). The ranks share it: all look
/// at what was found at the start, the first one adds and writes.
///
/// Names are places in the course, "7.2" or "7.2.5" for the fifth thing within the second of the frame 7. Of each there
/// is its end, or where it stopped between two steps; the end of a thing takes the place of what was within.
class Checkpoint {
public:
    enum class Mode { fresh, resume };

    /// @param identity  of the run: an object of objects and texts. Another one is refused, but that its
    ///                  `ranks` may differ.
    /// @param every_seconds  between two times of writing; more where writing takes more than a twentieth of that.
    ///                       0: after every step
    /// @param others  of other ranks of the earlier run, to look into as well
    /// @throws InputError if there is something under that name that is no checkpoint, or (resume) a damaged one or
    ///         another run's, with what differs
    Checkpoint(std::string path, RunRecord identity, double every_seconds, Mode mode,
               const std::vector<std::string>& others = {});

    const std::string& path() const { return path_; }
    /// Whether an earlier run is taken up.
    bool resumes() const { return !found_.empty(); }

    /// Visits the end of `place`, or where it stopped, as the earlier run has left it. @return whether it has
    bool recall_end(const std::string& place, const SolutionKeeper::Visit& result) const;
    bool recall_steps(const std::string& place, const SolutionKeeper::Visit& state) const;

    /// Keeps the end of `place` for the next writing.
    void keep_end(const std::string& place, const SolutionKeeper::Visit& result);
    bool is_due() const;
    /// Writes all that is kept, and where `place` has got to. A file that cannot be written is a warning: the one
    /// before stays.
    void write(const std::string& place, const SolutionKeeper::Visit& state);
    /// Whether its file is of this run, or of the one that it takes up.
    bool is_written() const { return written_ || resumes(); }
    /// Writes what is kept and not written.
    void write_ends();
    /// The run is over: there is nothing to take up, for this rank or for all of those that were looked into.
    enum class Files { own, all };
    void remove(Files files);

private:
    /// The bytes of a block, here or in a file that was written or found.
    struct Kept {
        std::string name;
        std::vector<std::byte> bytes;
        std::shared_ptr<const CheckpointFile> file;
    };

    static CheckpointBlock block_of(const Kept& kept);
    /// @throws InputError if it is of another run
    std::shared_ptr<const CheckpointFile> find(const std::string& path) const;
    bool recall(const std::string& name, const SolutionKeeper::Visit& visit) const;
    void forget(const std::string& place);
    void write_blocks(const std::vector<CheckpointBlock>& blocks);

    std::string path_;
    std::vector<std::string> others_;  ///< that were looked into
    RunRecord identity_;
    double every_seconds_;
    std::vector<std::shared_ptr<const CheckpointFile>> found_;  ///< the own one first
    std::vector<Kept> kept_;
    std::size_t unwritten_bytes_ = 0;
    bool unwritten_ = false;
    bool written_ = false;
    bool warned_ = false;
    double write_seconds_ = 0;  ///< of the last time
    Stopwatch since_written_;
};

}  // namespace recon
