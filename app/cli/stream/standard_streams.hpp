#pragma once

#include <memory>
#include <string>

#include "data/reading/format.hpp"

namespace recon {

/// Opens what is closed of stdin, stdout and stderr: a file that is opened would take its number, and get what is
/// printed. Reading finds nothing, and writing fails. To be called before anything is opened.
void fill_closed_streams();

/// What users type for stdin and stdout.
constexpr const char* standard_stream = "-";
/// Where `--out -` goes; no other output has that name.
constexpr const char* standard_output = "/dev/stdout";

/// Stdin as a file that can be read more than once: without a name in the folder for temporary files, so that nothing
/// is left of it, however the program ends.
class SpooledInput {
public:
    /// Reads stdin to its end, up to a request to stop. @throws InputError if it is a terminal or empty, or the folder
    /// is full
    SpooledInput();
    ~SpooledInput();
    SpooledInput(const SpooledInput&) = delete;
    SpooledInput& operator=(const SpooledInput&) = delete;

    /// /proc/self/fd/N.
    const std::string& path() const { return path_; }

private:
    int file_ = -1;
    std::string path_;
};

/// Puts a file with what lies on stdin in the place of `-`.
/// @return to be kept as long as the scan is read; null where the scan is a file
std::unique_ptr<const SpooledInput> open_stdin(std::string& scan_path);

/// @throws InputError if something that was printed did not come through
void require_written_stdout();

/// A line for people: "stdin" and "stdout" where the files of the two stand in it.
std::string with_stream_names(std::string line);

/// The format of an output that holds the image alone: by its name, a stream of MRD on stdout; null for HDF5.
const Format* image_only_format(const std::string& path);

}  // namespace recon
