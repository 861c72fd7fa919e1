#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "core/base/types.hpp"

namespace recon {

/// Up to five extents, first axis fastest in memory, each with a name for messages and files.
///
/// An image is [x y z] (axes of 2-D and 1-D scans that do not exist have extent 1), k-space is [sample],
/// and batches add a last axis `coil`.
class Shape {
public:
    static constexpr int max_rank = 5;

    struct Axis {
        const char* name;  ///< string literal
        Index extent;
    };

    Shape() = default;  ///< rank 0: one element
    /// @throws ShapeError if there are more than five axes, an extent is below 1, or the product overflows
    Shape(std::initializer_list<Axis> axes);

    /// [x y z]
    static Shape image(PerAxis<Index> matrix_size);
    /// [sample]
    static Shape samples(Index sample_count);

    int rank() const { return rank_; }
    Index extent(int axis) const { return axes_.at(axis).extent; }
    const char* axis_name(int axis) const { return axes_.at(axis).name; }
    Index element_count() const;
    /// Extents of the first three axes; 1 where there is no such axis.
    PerAxis<Index> matrix_size() const;

    Shape with_axis(const char* name, Index extent) const;  ///< one axis more, slowest in memory
    Shape without_last_axis() const;

    std::string text() const;  ///< "[x 220, y 220, z 1]"

    /// Extents decide; names are for people.
    friend bool operator==(const Shape& a, const Shape& b);

private:
    int rank_ = 0;
    std::array<Axis, max_rank> axes_{};
};

}  // namespace recon
