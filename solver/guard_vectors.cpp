#include "solver/guard_vectors.hpp"

#include <cmath>

#include "core/backend/backend.hpp"

namespace recon {
namespace {

void keep(ConstArrayView vector, double r_dot_z, ArrayView place) {
    vector.backend().copy(vector, place);
    vector.backend().scale(1 / std::sqrt(r_dot_z), place);
}

}  // namespace

GuardVectors::GuardVectors(Backend& backend, const Shape& shape, Precision precision, int limit, Product product) {
    if (limit > 0) {
        residuals_.emplace(backend, shape.with_axis("guard", limit), precision);
        if (product == Product::preconditioned) {
            directions_.emplace(backend, shape.with_axis("guard", limit), precision);
        }
        parts_.emplace(backend, Shape{{"guard", limit}}, Precision::double_);
    }
}

void GuardVectors::keep_if_early(ConstArrayView r, ConstArrayView z, double r_dot_z) {
    if (residuals_ && count_ < parts_->size() && r_dot_z > 0) {
        keep(r, r_dot_z, residuals_->slice(count_));
        if (directions_) {
            keep(z, r_dot_z, directions_->slice(count_));
        }
        ++count_;
    }
}

void GuardVectors::remove_from(ArrayView r) {
    if (count_ > 0) {
        const ArrayView parts = parts_->view().slices(0, count_);
        r.backend().dots((directions_ ? *directions_ : *residuals_).view().slices(0, count_), r, parts);
        r.backend().scale(-1, parts);
        r.backend().add_combination(parts, residuals_->view().slices(0, count_), r);
    }
}

void GuardVectors::visit(Archive& archive) {
    archive.count("guards/count", count_);
    for (Index i = 0; i < count_; ++i) {
        const std::string number = std::to_string(i);
        archive.array("guards/residual " + number, residuals_->slice(i));
        if (directions_) {
            archive.array("guards/direction " + number, directions_->slice(i));
        }
    }
}

}  // namespace recon
