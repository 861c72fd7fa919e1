#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

class Hdf5There;

enum class H5Kind { real, integer, complex, text, other };

/// What a dataset or attribute holds. Extents are in C order: the last one varies fastest.
struct H5Info {
    H5Kind kind = H5Kind::other;
    std::vector<Index> extents;  ///< empty for a scalar
    Index element_bytes = 0;

    Index element_count() const;
    std::string text() const;  ///< "complex64 [8, 402, 512]"
};
/// For messages between processes (reading_process/message.hpp).
template <class Info>
requires std::is_same_v<std::remove_const_t<Info>, H5Info>
auto message_members(Info& info) { return std::tie(info.kind, info.extents, info.element_bytes); }

/// One HDF5 file. Objects are named by their path, such as "/run/log"; every failure is an InputError that names the
/// file, the object, what was found and what was expected.
///
/// Complex numbers are compounds {r, i} of float or double, as h5py writes them; {real, imag} is read as well.
///
/// Files that are opened are read in another process, as the library crashes and hangs on damaged ones
/// (hdf5_there.hpp); those that are created are this process's own.
class H5File {
public:
    /// Opens read-only. @throws InputError if the file is missing, unreadable, truncated or no HDF5 file, or damaged in
    /// a way that its library does not survive
    static H5File open(const std::string& path);
    /// The same in this process, without a look at it before. @param opened_as  the path that leads to it
    static H5File open_here(const std::string& path, const std::string& opened_as);
    /// Creates or replaces. Output files go through AtomicOutput: `create(output.temporary_path())`.
    static H5File create(const std::string& path);
    /// True if the file begins like an HDF5 file; false for anything else, missing files included.
    static bool looks_like_hdf5(const std::string& path);

    ~H5File();
    H5File(H5File&&) noexcept;
    H5File(const H5File&) = delete;
    H5File& operator=(const H5File&) = delete;

    const std::string& path() const { return path_; }
    /// HDF5's own identifier, for what this class does not offer; of files that are open in this process: created ones,
    /// and in what is done by call_there.
    std::int64_t id() const;
    int descriptor() const;    ///< the operating system's, for reading past HDF5; -1 of files that are written
    Hdf5There* there() const;  ///< where the file is read, if not in this process

    /// Writes everything out and closes; errors show here rather than vanish in the destructor.
    void close();

    // Looking. What is not there is told from what cannot be read: @throws InputError if an object on the path is
    // damaged, is a link into another file, or a dataset that keeps its numbers in one
    bool has_dataset(const std::string& name) const;
    bool has_group(const std::string& name) const;
    bool has_attribute(const std::string& object, const std::string& name) const;
    /// Names (not paths) of what lies in a group, sorted.
    std::vector<std::string> names_in(const std::string& group) const;
    std::vector<std::string> attribute_names(const std::string& object) const;
    H5Info dataset_info(const std::string& name) const;
    /// @throws InputError if the dataset claims to be larger than the file or this machine can hold
    void require_plausible_size(const std::string& name) const;
    H5Info attribute_info(const std::string& object, const std::string& name) const;

    // Reading. T: float, double, Index, cfloat, cdouble, std::string. Numbers convert between precisions, integers to
    // reals, reals to complex; nothing else does.
    template <class T>
    std::vector<T> read(const std::string& dataset) const;
    /// Elements [first, first + count) along the slowest axis.
    /// @param of  an element along that: then they lie along the next axis, and the others are not read
    template <class T>
    std::vector<T> read_rows(const std::string& dataset, Index first, Index count,
                             const std::optional<Index>& of = {}) const;
    template <class T>
    std::vector<T> read_attribute(const std::string& object, const std::string& name) const;
    /// Exactly one value. @throws InputError if there are more or none
    template <class T>
    T read_attribute_scalar(const std::string& object, const std::string& name) const;

    // Writing; groups on the way are made. T: as for reading.
    void create_group(const std::string& name);
    /// @param extents  in C order; empty for a scalar. @throws ShapeError if their product is not the size of `values`
    template <class T>
    void write(const std::string& dataset, const std::vector<Index>& extents, std::span<const T> values);
    template <class T>
    void write(const std::string& dataset, const std::vector<Index>& extents, const std::vector<T>& values) {
        write(dataset, extents, std::span<const T>(values));
    }
    /// One dimension.
    template <class T>
    void write(const std::string& dataset, const std::vector<T>& values) {
        write(dataset, {static_cast<Index>(values.size())}, std::span<const T>(values));
    }
    /// A dataset to be filled by `write_rows`; zero until then.
    template <class T>
    void create_dataset(const std::string& dataset, const std::vector<Index>& extents);
    /// Fills elements from `first` on along the slowest axis; the size of `values` says how many.
    template <class T>
    void write_rows(const std::string& dataset, Index first, std::span<const T> values);
    void write_scalar(const std::string& dataset, Index value);
    void write_scalar(const std::string& dataset, const std::string& value);
    void write_scalar(const std::string& dataset, const char* value) { write_scalar(dataset, std::string(value)); }
    void write_scalar(const std::string& dataset, int value) { write_scalar(dataset, Index{value}); }

    void write_attribute(const std::string& object, const std::string& name, double value);
    void write_attribute(const std::string& object, const std::string& name, Index value);
    void write_attribute(const std::string& object, const std::string& name, const std::string& value);
    void write_attribute(const std::string& object, const std::string& name, int value) {
        write_attribute(object, name, Index{value});
    }
    void write_attribute(const std::string& object, const std::string& name, const char* value) {
        write_attribute(object, name, std::string(value));
    }
    /// T: double, Index, std::string.
    template <class T>
    void write_attribute(const std::string& object, const std::string& name, const std::vector<T>& values);

private:
    struct Implementation;
    H5File(std::string path, std::unique_ptr<Implementation> implementation);

    std::string path_;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace recon
