#include "core/base/shape.hpp"

#include "core/base/error.hpp"

namespace recon {

Shape::Shape(std::initializer_list<Axis> axes) {
    for (const Axis& axis : axes) {
        *this = with_axis(axis.name, axis.extent);
    }
}

Shape Shape::image(PerAxis<Index> matrix_size) {
    return {{"x", matrix_size[0]}, {"y", matrix_size[1]}, {"z", matrix_size[2]}};
}

Shape Shape::samples(Index sample_count) { return {{"sample", sample_count}}; }

Index Shape::element_count() const {
    Index count = 1;
    for (int axis = 0; axis < rank_; ++axis) {
        count *= axes_[axis].extent;
    }
    return count;
}

PerAxis<Index> Shape::matrix_size() const {
    PerAxis<Index> size{1, 1, 1};
    for (int axis = 0; axis < rank_ && axis < 3; ++axis) {
        size[axis] = axes_[axis].extent;
    }
    return size;
}

Shape Shape::with_axis(const char* name, Index extent) const {
    if (rank_ == max_rank) {
        throw ShapeError("shape " + text() + " has no room for a sixth axis '" + name + "'");
    }
    Index product = 0;
    if (extent < 1 || __builtin_mul_overflow(element_count(), extent, &product)) {
        throw ShapeError("shape " + text() + ": axis '" + name + "' of extent " + std::to_string(extent) +
                         " is impossible");
    }
    Shape longer = *this;
    longer.axes_[longer.rank_++] = {name, extent};
    return longer;
}

Shape Shape::without_last_axis() const {
    if (rank_ == 0) {
        throw ShapeError("a shape without axes has no last axis");
    }
    Shape shorter = *this;
    shorter.axes_[--shorter.rank_] = {};
    return shorter;
}

std::string Shape::text() const {
    std::string text = "[";
    for (int axis = 0; axis < rank_; ++axis) {
        text += (axis ? ", " : "") + std::string(axes_[axis].name) + " " + std::to_string(axes_[axis].extent);
    }
    return text + "]";
}

bool operator==(const Shape& a, const Shape& b) {
    if (a.rank_ != b.rank_) {
        return false;
    }
    for (int axis = 0; axis < a.rank_; ++axis) {
        if (a.axes_[axis].extent != b.axes_[axis].extent) {
            return false;
        }
    }
    return true;
}

}  // namespace recon
