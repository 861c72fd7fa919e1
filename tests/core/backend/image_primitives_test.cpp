#include <cmath>

#include "core/backend/image_primitives.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Sizes: axes of one voxel, odd and unequal ones, batches, and more voxels than one thread's piece.
class ImagePrimitivesOnEveryBackend
    : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Shape, Precision>> {
protected:
    Shape shape() const { return std::get<1>(GetParam()); }
    Precision precision() const { return std::get<2>(GetParam()); }
    double rounding() const { return precision() == Precision::single ? 3e-7 : 1e-15; }  // a few eps

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    Array x_ = test::random_array(*backend_, shape(), precision(), 1);
    Array y_ = test::random_array(*backend_, shape(), precision(), 2);
};

TEST_P(ImagePrimitivesOnEveryBackend, DifferencesFollowTheirFormula) {
    const std::vector<cdouble> x = download<double>(x_);
    Index stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const Index extent = shape().extent(axis);
        backend_->image_primitives().difference(axis, x_, y_);
        const std::vector<cdouble> y = download<double>(y_);
        for (Index n = 0; n < shape().element_count(); ++n) {
            const bool at_end = n / stride % extent == extent - 1;
            ASSERT_LE(std::abs(y[n] - (at_end ? 0.0 : x[n + stride] - x[n])), 4 * rounding()) << axis << " " << n;
        }
        stride *= extent;
    }
}

TEST_P(ImagePrimitivesOnEveryBackend, TheAdjointDifferenceIsTheAdjointAndAdds) {
    for (int axis = 0; axis < 3; ++axis) {
        Array dx(*backend_, shape(), precision());
        backend_->image_primitives().difference(axis, x_, dx);
        Array dhy = x_.clone();
        backend_->image_primitives().add_adjoint_difference(axis, y_, dhy);
        backend_->axpby(-1, x_, 1, dhy);
        const double scale = norm(x_) * norm(y_);
        EXPECT_LE(std::abs(backend_->dot(y_, dx) - backend_->dot(dhy, x_)), 4 * rounding() * scale) << axis;
    }
}

TEST_P(ImagePrimitivesOnEveryBackend, SmoothingFollowsItsFormula) {
    const std::vector<cdouble> x = download<double>(x_);
    const std::vector<double> weights{2, 1, 0.25, 0.5};
    Index stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const Index extent = shape().extent(axis);
        backend_->image_primitives().smooth(axis, weights, x_, y_);
        const std::vector<cdouble> y = download<double>(y_);
        for (Index n = 0; n < shape().element_count(); ++n) {
            cdouble sum = 0;
            double of_weights = 0;
            for (Index j = -3; j <= 3; ++j) {
                const Index at = n / stride % extent + j;
                if (at >= 0 && at < extent) {
                    sum += weights[std::abs(j)] * x[n + j * stride];
                    of_weights += weights[std::abs(j)];
                }
            }
            ASSERT_LE(std::abs(y[n] - sum / of_weights), 8 * rounding()) << axis << " " << n;
        }
        stride *= extent;
    }
}

/// Backwards, every other one, and one of them three times.
TEST_P(ImagePrimitivesOnEveryBackend, PickVoxelsByTheirPlaces) {
    const PerAxis<Index> n = shape().matrix_size();
    if (shape().rank() > 3) {
        EXPECT_THROW(backend_->image_primitives().pick({}, x_, y_), ShapeError);
        return;
    }
    PerAxis<std::vector<Index>> places{{{}, {}, {n[2] - 1, 0, n[2] - 1, n[2] - 1}}};
    for (Index i = n[0] - 1; i >= 0; --i) {
        places[0].push_back(i);
    }
    for (Index i = 0; i < n[1]; i += 2) {
        places[1].push_back(i);
    }
    Array y(*backend_, Shape::image({n[0], std::ssize(places[1]), 4}), precision());
    backend_->image_primitives().pick(places, x_, y);
    const std::vector<cdouble> x = download<double>(x_), found = download<double>(y);
    std::size_t at = 0;
    for (const Index z : places[2]) {
        for (const Index row : places[1]) {
            for (const Index i : places[0]) {
                ASSERT_EQ(found[at++], x[static_cast<std::size_t>(i + n[0] * (row + n[1] * z))]) << at;
            }
        }
    }
    places[1].back() = n[1];
    EXPECT_THROW(backend_->image_primitives().pick(places, x_, y), ShapeError);
    places[1].back() = -1;
    EXPECT_THROW(backend_->image_primitives().pick(places, x_, y), ShapeError);
    places[1].back() = 0;
    places[0].pop_back();
    EXPECT_THROW(backend_->image_primitives().pick(places, x_, y), ShapeError);
}

TEST_P(ImagePrimitivesOnEveryBackend, RefuseWhatIsNoPairOfImages) {
    const ImagePrimitives& primitives = backend_->image_primitives();
    EXPECT_THROW(primitives.smooth(0, std::vector<double>{1}, x_, x_), ShapeError);
    EXPECT_THROW(primitives.smooth(0, {}, x_, y_), ShapeError);
    EXPECT_THROW(primitives.smooth(0, std::vector<double>{1, -1}, x_, y_), ShapeError);
    EXPECT_THROW(primitives.smooth(0, std::vector<double>(65, 1.0), x_, y_), ShapeError);
    Array other(*backend_, shape().with_axis("more", 2), precision());
    EXPECT_THROW(backend_->image_primitives().difference(0, x_, other), ShapeError);
    EXPECT_THROW(backend_->image_primitives().difference(3, x_, y_), ShapeError);
    EXPECT_THROW(backend_->image_primitives().add_adjoint_difference(0, x_, x_), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, ImagePrimitivesOnEveryBackend,
                         ::testing::Combine(test::every_backend(),
                                            ::testing::Values(Shape::image({1, 1, 1}), Shape::image({7, 1, 1}),
                                                              Shape::image({5, 6, 1}), Shape::image({1, 4, 3}),
                                                              Shape::image({9, 7, 5}), Shape::image({130, 131, 3}),
                                                              Shape::image({4, 3, 2}).with_axis("coil", 3)),
                                            ::testing::Values(Precision::single, Precision::double_)),
                         [](const auto& info) {
                             std::string name = std::get<0>(info.param).name;
                             for (int axis = 0; axis < std::get<1>(info.param).rank(); ++axis) {
                                 name += "_" + std::to_string(std::get<1>(info.param).extent(axis));
                             }
                             return name + "_" + std::string(name_of(std::get<2>(info.param)));
                         });

}  // namespace
}  // namespace recon
