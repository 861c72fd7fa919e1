#pragma once

#include <future>
#include <string>

namespace recon {

/// Where a write to `path` ends up: behind symbolic links, also those whose target does not exist yet; "-" is
/// standard output.
std::string written_path(const std::string& path);
bool goes_to_stdout(const std::string& path);

/// A file that appears under its name only when it is complete.
///
/// The contents go to `temporary_path()`, a new file in the same folder; `commit` renames it. If it is abandoned
/// instead, the temporary file is removed and a file that bore the name before is as it was; what processes that were
/// killed have left of the same name is removed by the next. Names that exist and are no plain files (/dev/stdout) are
/// written directly.
class AtomicOutput {
public:
    /// @throws InputError at once if the folder is missing or not writable, or the path is a folder
    explicit AtomicOutput(const std::string& path);
    ~AtomicOutput();
    AtomicOutput(const AtomicOutput&) = delete;
    AtomicOutput& operator=(const AtomicOutput&) = delete;

    const std::string& path() const { return path_; }
    const std::string& temporary_path() const { return temporary_path_; }

    /// Whether what is written is added to something that is there or open already.
    bool is_direct() const { return temporary_path_ == target_path_; }
    bool is_stdout() const { return goes_to_stdout(path_); }

    /// Has the system bring to the disk what is written so far, while the caller goes on: `commit` then waits for less.
    /// Does nothing while it is at it.
    void synchronize_ahead();

    /// Makes the file appear, once its bytes are on the disk; call it after the file was closed. @throws InputError if
    /// that fails
    void commit();

private:
    std::string path_;            ///< as asked for, for messages
    std::string target_path_;     ///< with symbolic links followed
    std::string temporary_path_;  ///< the target itself if it is written directly
    bool pending_ = false;
    std::future<int> ahead_;  ///< errno of `synchronize_ahead`, 0 where all went well
    int ahead_failed_ = 0;    ///< of an earlier one
};

/// Removes what is unfinished, for a process that ends without destroying its objects.
void abandon_all_outputs() noexcept;

}  // namespace recon
