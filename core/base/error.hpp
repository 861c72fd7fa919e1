#pragma once

#include <stdexcept>
#include <string>

namespace recon {

/// Exit codes of the program, documented in docs/user-guide.md.
enum class ExitCode { done = 0, internal = 1, usage = 2, input = 3, device = 4, check = 5, doubtful = 6 };

/// Base of all errors: one line that says what, where, found, expected, and what to do.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& what, ExitCode code = ExitCode::internal)
        : std::runtime_error(what), exit_code_(code) {}
    ExitCode exit_code() const { return exit_code_; }

private:
    ExitCode exit_code_;
};

/// The command line asks for something that cannot be.
class UsageError : public Error {
public:
    explicit UsageError(const std::string& what) : Error(what, ExitCode::usage) {}
};

/// A file is missing, unreadable, malformed or physically impossible; or an output cannot be written.
class InputError : public Error {
public:
    explicit InputError(const std::string& what) : Error(what, ExitCode::input) {}
};

/// A device is absent or failed, or memory ran out.
class DeviceError : public Error {
public:
    explicit DeviceError(const std::string& what) : Error(what, ExitCode::device) {}
};

/// The requested backend does not exist here; `auto` falls back to the CPU.
class BackendUnavailable : public DeviceError {
public:
    explicit BackendUnavailable(const std::string& what) : DeviceError(what) {}
};

/// A result was computed, and differs from the reference that it was to be checked against.
class CheckFailed : public Error {
public:
    explicit CheckFailed(const std::string& what) : Error(what, ExitCode::check) {}
};

/// Operands of the wrong shape, precision or backend were handed to an operator: a defect of the caller.
class ShapeError : public Error {
public:
    explicit ShapeError(const std::string& what) : Error(what, ExitCode::internal) {}
};

}  // namespace recon
