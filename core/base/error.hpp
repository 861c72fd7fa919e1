#pragma once

#include <stdexcept>
#include <string>

namespace recon {

/// Who has to do something about an error; the program makes its exit codes of them.
enum class ErrorKind {
    internal,  ///< a defect of ours
    usage,     ///< the caller asks for something that cannot be
    input,     ///< a file
    device,    ///< a device or memory
    check,     ///< a result, which is not what it was to be
    doubtful,  ///< a scan whose numbers do not belong together
};

/// Base of all errors: one line that says what, where, found, expected, and what to do. Settings stand in it by their
/// names in backticks, `coil_maps`, of which the program makes its options.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& what, ErrorKind kind = ErrorKind::internal)
        : std::runtime_error(what), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

private:
    ErrorKind kind_;
};

/// What is asked for cannot be.
class UsageError : public Error {
public:
    explicit UsageError(const std::string& what) : Error(what, ErrorKind::usage) {}
};

/// A file is missing, unreadable, malformed or physically impossible; or an output cannot be written.
class InputError : public Error {
public:
    explicit InputError(const std::string& what) : Error(what, ErrorKind::input) {}
};

/// A device is absent or failed, or memory ran out.
class DeviceError : public Error {
public:
    explicit DeviceError(const std::string& what) : Error(what, ErrorKind::device) {}
};

/// The requested backend does not exist here; `auto` falls back to the CPU.
class BackendUnavailable : public DeviceError {
public:
    /// @param advice  what to do about it, for those who asked for the backend
    explicit BackendUnavailable(const std::string& reason, const std::string& advice = "")
        : DeviceError(advice.empty() ? reason : reason + "; " + advice), reason_(reason) {}

    /// Why, without the advice.
    const std::string& reason() const { return reason_; }

private:
    std::string reason_;
};

/// A result was computed, and differs from the reference that it was to be checked against.
class CheckFailed : public Error {
public:
    explicit CheckFailed(const std::string& what) : Error(what, ErrorKind::check) {}
};

/// Operands of the wrong shape, precision or backend were handed to an operator: a defect of the caller.
class ShapeError : public Error {
public:
    explicit ShapeError(const std::string& what) : Error(what, ErrorKind::internal) {}
};

}  // namespace recon
