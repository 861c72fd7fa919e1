#include "app/reconstruction/coils/joint_inversion.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/coils/coil_image_product.hpp"
#include "core/base/cancel.hpp"
#include "core/base/log.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr int steps = 18;
constexpr int iterations_of_a_step = 30;  // all kept orthogonal: rounding would be a thousand times larger in the maps
constexpr double stop_of_a_step = 0.05;
constexpr double norm_of_samples = 100;  // to which they are scaled, against a = 1 in the first step

/// J^H F^H F J + a
class GaussNewtonNormal final : public LinearOperator {
public:
    GaussNewtonNormal(const CalibrationProblem& problem, const CoilImageProduct& product)
        : LinearOperator("nonlinear inversion", product.backend(), product.domain(), product.domain(),
                         product.precision()),
          problem_(problem),
          product_(product),
          coil_images_(product.backend(), product.codomain(), product.precision()),
          seen_(product.backend(), product.codomain(), product.precision()) {}

    void set_weight(double weight) { weight_ = weight; }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        product_.forward(x, coil_images_);
        problem_.apply_normal(coil_images_, seen_);
        product_.adjoint(seen_, y);
        backend().axpby(weight_, x, 1, y);
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    const CalibrationProblem& problem_;
    const CoilImageProduct& product_;
    double weight_ = 1;
    mutable Array coil_images_, seen_;
};

}  // namespace

JointlyFound jointly_found(const CalibrationProblem& problem) {
    Backend& backend = problem.backend();
    CoilImageProduct product(problem);
    GaussNewtonNormal normal(problem, product);
    const Precision precision = problem.precision();
    Array found(backend, product.domain(), precision), change(backend, product.domain(), precision);
    Array right_side(backend, product.domain(), precision);
    Array coil_images(backend, product.codomain(), precision), seen(backend, product.codomain(), precision);
    const double scale = norm_of_samples / std::sqrt(problem.energy());
    const auto look = [&] {  // at the products, and what they leave of the samples
        product.move_to(found);
        product.products(coil_images);
        problem.apply_normal(coil_images, seen);
        const double explained =
            2 * scale * backend.dot(coil_images, problem.right_side()).real() - backend.dot(coil_images, seen).real();
        return std::sqrt(std::max(0.0, 1 - explained / (norm_of_samples * norm_of_samples)));
    };
    backend.fill(0, found);
    backend.fill(1, found.view().slices(0, product.voxel_count()));
    double weight = 1;
    for (int step = 0; step < steps; ++step, weight /= 2) {
        cancel_of_this_thread().check();
        const double unexplained = look();
        log_debug("coil maps: {:.4f} of the samples unexplained after {} steps", unexplained, step);
        backend.axpby(scale, problem.right_side(), -1, seen);
        product.adjoint(seen, right_side);
        if (step > 0) {  // the first one counts from where it starts
            backend.axpby(-weight, found, 1, right_side);
        }
        normal.set_weight(weight);
        backend.fill(0, change);
        solve_cg(normal, right_side, change,
                 {.iterations = iterations_of_a_step,
                  .stop = stop_of_a_step,
                  .guard_vectors = iterations_of_a_step,
                  .closes = false});
        backend.axpby(1, change, 1, found);
    }
    const double unexplained = look();
    backend.scale(1 / scale, coil_images);
    return {product.coils(found), problem.on_host(coil_images), unexplained};
}

std::size_t joint_inversion_bytes(const Backend& backend, const PerAxis<Index>& matrix, Index coil_count,
                                  Precision precision, std::size_t piece_bytes) {
    constexpr std::size_t vectors = 6 + iterations_of_a_step;  // half of the six, and those kept, of the solver
    constexpr std::size_t stacks_of_images = 4;                // two of them of the normal operator
    const PlanBytes product = CoilImageProduct::bytes(backend, matrix, coil_count, precision, piece_bytes);
    const std::size_t complex = complex_bytes(precision);
    const std::size_t coil_images = coil_count * Shape::image(matrix).element_count() * complex;
    return product.held +
           std::max(product.making, product.running + stacks_of_images * coil_images +
                                        vectors * CoilImageProduct::unknown_count(matrix, coil_count) * complex);
}

}  // namespace recon
