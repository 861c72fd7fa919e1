#pragma once

#include "core/base/error.hpp"

namespace recon {

/// What the program ends with, as docs/user-guide.md has it. Stopped by a signal it is 128 and the signal's number.
constexpr int exit_code_done = 0;

constexpr int exit_code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::internal: return 1;
        case ErrorKind::usage: return 2;
        case ErrorKind::input: return 3;
        case ErrorKind::device: return 4;
        case ErrorKind::check: return 5;
        case ErrorKind::doubtful: return 6;
    }
    return 1;
}

constexpr const char* out_of_memory =
    "out of memory; a smaller --matrix takes less, and so do fewer frames (recon --select)";

}  // namespace recon
