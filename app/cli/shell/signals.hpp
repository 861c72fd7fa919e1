#pragma once

#include "core/base/cancel.hpp"

namespace recon {

/// As long as it lives the first Ctrl-C or SIGTERM asks for a stop, and the second ends the program.
class SignalWatch {
public:
    /// @param source  outlives the watch; there is one watch at a time
    explicit SignalWatch(CancelSource& source);
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
};

/// As long as it lives, the first signal ends the program with one line: for work that leaves nothing to undo, and that
/// may be deep in a library.
class EndAtOnce {
public:
    EndAtOnce();
    ~EndAtOnce();
    EndAtOnce(const EndAtOnce&) = delete;
    EndAtOnce& operator=(const EndAtOnce&) = delete;
};

/// For one of several ranks that end together: `EndAtOnce` ends it with this code, and says nothing unless it speaks
/// for all.
enum class Speaks { for_all, not_at_all };
void end_at_once_with(int exit_code, Speaks speaks);

/// From here on signals change nothing: the end of all ranks is agreed on, and launchers send a signal to those that
/// are left when the first has gone.
void pay_no_heed_to_signals();

/// The exit code that says which signal has asked for a stop, 128 and its number, as shells have it.
int exit_code_of_signal();
/// "Ctrl-C" or "SIGTERM", or that neither has come to this process
const char* name_of_signal();

}  // namespace recon
