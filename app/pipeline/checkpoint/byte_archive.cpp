#include "app/pipeline/checkpoint/byte_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/error.hpp"

namespace recon {
namespace {

enum Kind : std::uint64_t { kind_numbers, kind_single, kind_double };

constexpr Index piece_elements = Index{1} << 18;

std::uint64_t item_bytes(const std::string& name, std::uint64_t content_bytes) {
    return 3 * sizeof(std::uint64_t) + name.size() + content_bytes;
}

Kind kind_of(ConstArrayView values) { return values.precision() == Precision::single ? kind_single : kind_double; }

std::uint64_t bytes_of(ConstArrayView values) {
    return static_cast<std::uint64_t>(values.size()) * complex_bytes(values.precision());
}

void put_length(const ByteSink& sink, std::uint64_t value) { sink(std::as_bytes(std::span(&value, 1))); }

void put_item(const ByteSink& sink, const std::string& name, Kind kind, std::uint64_t count) {
    put_length(sink, name.size());
    sink(std::as_bytes(std::span(name)));
    put_length(sink, kind);
    put_length(sink, count);
}

/// Calls function(piece of the array) for pieces in their order.
template <class Function>
void for_each_piece(ArrayView values, Function&& function) {
    const ArrayView flat = values.reshaped({{"element", values.size()}});
    for (Index first = 0; first < flat.size(); first += piece_elements) {
        function(flat.slices(first, std::min(piece_elements, flat.size() - first)));
    }
}

template <class T>
void put_array(const ByteSink& sink, ArrayView values) {
    for_each_piece(values, [&](ArrayView piece) {
        const std::vector<std::complex<T>> host = download<T>(piece);
        sink(std::as_bytes(std::span(host)));
    });
}

}  // namespace

void WritingArchive::numbers(const std::string& name, std::vector<double>& values) {
    put_item(sink_, name, kind_numbers, values.size());
    sink_(std::as_bytes(std::span(values)));
}

void WritingArchive::array(const std::string& name, ArrayView values) {
    put_item(sink_, name, kind_of(values), static_cast<std::uint64_t>(values.size()));
    values.precision() == Precision::single ? put_array<float>(sink_, values) : put_array<double>(sink_, values);
}

void MeasuringArchive::numbers(const std::string& name, std::vector<double>& values) {
    bytes_ += item_bytes(name, values.size() * sizeof(double));
}

void MeasuringArchive::array(const std::string& name, ArrayView values) {
    bytes_ += item_bytes(name, bytes_of(values));
}

void ReadingArchive::take(std::span<std::byte> bytes) {
    file_.read(block_, at_, bytes);
    at_ += bytes.size();
}

/// @return how many numbers follow
std::uint64_t ReadingArchive::begin_item(const std::string& name, std::uint64_t kind) {
    const auto length = [&] {
        std::uint64_t value = 0;
        take(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    };
    const std::uint64_t left = file_.size_of(block_) - at_;
    std::string found(static_cast<std::size_t>(std::min(length(), left)), '\0');
    take(std::as_writable_bytes(std::span(found)));
    if (found != name || length() != kind) {
        throw InputError(
            fmt::format("checkpoint: {} holds {} where {} was expected: it is of another course; start without it",
                        block_, found, name));
    }
    return length();
}

void ReadingArchive::numbers(const std::string& name, std::vector<double>& values) {
    const std::uint64_t count = begin_item(name, kind_numbers);
    if (count > (file_.size_of(block_) - at_) / sizeof(double)) {
        throw InputError(fmt::format("checkpoint: {} of {} is too short", name, block_));
    }
    values.resize(static_cast<std::size_t>(count));
    take(std::as_writable_bytes(std::span(values)));
}

void ReadingArchive::array(const std::string& name, ArrayView values) {
    const std::uint64_t count = begin_item(name, kind_of(values));
    if (count != static_cast<std::uint64_t>(values.size())) {
        throw InputError(fmt::format("checkpoint: {} of {} has {} numbers, the problem at hand {}", name, block_, count,
                                     values.size()));
    }
    const auto fill = [&]<class T>(std::vector<std::complex<T>> host, ArrayView piece) {
        host.resize(static_cast<std::size_t>(piece.size()));
        take(std::as_writable_bytes(std::span(host)));
        upload(std::span<const std::complex<T>>(host), piece);
    };
    for_each_piece(values, [&](ArrayView piece) {
        values.precision() == Precision::single ? fill(std::vector<cfloat>(), piece)
                                                : fill(std::vector<cdouble>(), piece);
    });
}

}  // namespace recon
