#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/base/error.hpp"

namespace recon {

struct RehearsalLimits {
    std::size_t memory_bytes = std::size_t{1} << 30;  ///< beside what this process has
    unsigned processor_s = 10;
    unsigned wall_s = 60;
};

/// The other process has come to an end of its own choice: not by a signal, as where a library crashes, but as
/// sanitizers do, and std::exit.
class EndedInRehearsal : public InputError {
public:
    explicit EndedInRehearsal(const std::string& what) : InputError(what) {}
};

/// Does something with a file in a process of its own first, so that a library which crashes on it, hangs or asks for
/// all memory does so there, and the file is refused with a line.
///
/// @param work  serial, and without effect but what it throws. An Error is passed on as it is
/// @throws InputError that names the file if `work` did not come to an end. Where the system refuses a process nothing
/// is tried, with a warning
void rehearse(const std::string& path, const std::function<void()>& work, const RehearsalLimits& limits = {});

/// While it lives nothing is rehearsed by this thread: where the process may crash, as in a rehearsal itself.
class WithoutRehearsal {
public:
    WithoutRehearsal();
    ~WithoutRehearsal();
    WithoutRehearsal(const WithoutRehearsal&) = delete;
    WithoutRehearsal& operator=(const WithoutRehearsal&) = delete;

private:
    bool before_;
};

}  // namespace recon
