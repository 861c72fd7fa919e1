#pragma once

#include <hdf5.h>

#include <string>

#include "core/base/error.hpp"

namespace recon {

/// Owns one HDF5 identifier of any kind; closing in the destructor never throws.
class H5Handle {
public:
    using Close = herr_t (*)(hid_t);

    H5Handle() = default;
    H5Handle(hid_t id, Close close) : id_(id), close_(close) {}
    ~H5Handle() { reset(); }
    H5Handle(H5Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
    H5Handle& operator=(H5Handle&& other) noexcept {
        if (this != &other) {
            reset();
            id_ = other.id_;
            close_ = other.close_;
            other.id_ = -1;
        }
        return *this;
    }
    H5Handle(const H5Handle&) = delete;
    H5Handle& operator=(const H5Handle&) = delete;

    operator hid_t() const { return id_; }

    /// Closes now and tells whether that failed, which writing may do as late as here. @return negative if it failed
    herr_t close() {
        const hid_t id = id_;
        id_ = -1;
        return id >= 0 ? close_(id) : 0;
    }

private:
    void reset() noexcept {
        if (id_ >= 0) {
            close_(id_);
        }
        id_ = -1;
    }

    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// Stops HDF5 from printing its errors to stderr in this thread; `h5_failure` reports them instead.
void silence_hdf5();

/// Opens read-only, files without a name (/proc/self/fd/N) too. @return negative if HDF5 refuses
H5Handle h5_open_file(const std::string& path);

/// "file: doing: reason that HDF5 gives", as an InputError.
InputError h5_failure(const std::string& path, const std::string& doing);

/// Passes a non-negative result on. @throws InputError otherwise
template <class Result>
Result h5_check(Result result, const std::string& path, const std::string& doing) {
    if (result < 0) {
        throw h5_failure(path, doing);
    }
    return result;
}

}  // namespace recon
