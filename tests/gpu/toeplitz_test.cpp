#include <cmath>
#include <cstring>

#include "core/backend/cpu/cpu_backend.hpp"
#include "gpu/toeplitz/gpu_toeplitz.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct ToeplitzCase {
    PerAxis<Index> matrix;
    Index coil_count;  ///< 0: no coil maps
};

void PrintTo(const ToeplitzCase& c, std::ostream* out) {
    *out << Shape::image(c.matrix).text() << ", coils " << c.coil_count;
}

/// A Hermitian kernel on the grid of differences: Q(-x) = conj(Q(x)).
std::vector<cdouble> random_kernel(const Shape& differences) {
    std::vector<cdouble> q = test::random_values(differences.element_count(), 3);
    const std::size_t last = q.size() - 1;
    for (std::size_t i = 0; i < q.size() / 2; ++i) {
        q[last - i] = std::conj(q[i]);
    }
    q[last / 2] = std::abs(q[last / 2]);
    return q;
}

/// sum_c conj(S_c[n]) sum_m Q[n - m] S_c[m] image[m] for every `stride`-th voxel n, in double.
std::vector<cdouble> direct(const ToeplitzCase& c, const std::vector<cdouble>& q, const std::vector<cdouble>& image,
                            const std::vector<cdouble>& maps, Index stride) {
    const auto [nx, ny, nz] = c.matrix;
    const Index size = nx * ny * nz;
    std::vector<cdouble> result;
    for (Index n = 0; n < size; n += stride) {
        const Index x = n % nx;
        const Index y = n / nx % ny;
        const Index z = n / nx / ny;
        cdouble sum = 0;
        for (Index coil = 0; coil < std::max<Index>(c.coil_count, 1); ++coil) {
            const cdouble* map = c.coil_count ? maps.data() + coil * size : nullptr;
            cdouble of_coil = 0;
            Index m = 0;
            for (Index k = 0; k < nz; ++k) {
                for (Index j = 0; j < ny; ++j) {
                    const Index row = ((z - k + nz - 1) * (2 * ny - 1) + y - j + ny - 1) * (2 * nx - 1) + x + nx - 1;
                    for (Index i = 0; i < nx; ++i, ++m) {
                        of_coil += q[row - i] * (map ? map[m] * image[m] : image[m]);
                    }
                }
            }
            sum += map ? std::conj(map[n]) * of_coil : of_coil;
        }
        result.push_back(sum);
    }
    return result;
}

class GpuToeplitz : public test::OnGpu<::testing::TestWithParam<ToeplitzCase>> {
protected:
    Shape shape() const { return Shape::image(GetParam().matrix); }
    Shape differences() const { return VoxelGrid::differences(GetParam().matrix).shape; }
    Shape maps_shape() const { return shape().with_axis("coil", std::max<Index>(GetParam().coil_count, 1)); }

    std::vector<cdouble> apply(Backend& backend, const std::vector<cdouble>& q, const std::vector<cdouble>& image,
                               const std::vector<cdouble>& maps, Precision precision) {
        Array q_array(backend, differences(), Precision::double_);
        upload(q, q_array);
        const auto plan = backend.make_toeplitz(shape(), q_array, precision);
        Array in(backend, shape(), precision);
        Array out(backend, shape(), precision);
        Array map_array(backend, maps_shape(), precision);
        upload(image, in);
        upload(maps, map_array);
        backend.fill({NAN, NAN}, out);
        plan->apply(in, GetParam().coil_count ? std::optional<ConstArrayView>(map_array) : std::nullopt, out);
        return download<double>(out);
    }
};

TEST_P(GpuToeplitz, AgreesWithTheDirectSum) {
    const std::vector<cdouble> q = random_kernel(differences());
    const std::vector<cdouble> image = test::random_values(shape().element_count(), 1);
    const std::vector<cdouble> maps = test::random_values(maps_shape().element_count(), 2);
    const Index stride = std::max<Index>(1, shape().element_count() / 500) | 1;
    const std::vector<cdouble> expected = direct(GetParam(), q, image, maps, stride);
    const auto every_stride = [&](const std::vector<cdouble>& all) {
        std::vector<cdouble> some;
        for (Index i = 0; i < shape().element_count(); i += stride) {
            some.push_back(all[i]);
        }
        return some;
    };
    const std::vector<cdouble> single = apply(gpu(), q, image, maps, Precision::single);
    const std::vector<cdouble> fine = apply(gpu(), q, image, maps, Precision::double_);
    // The figures asked for: 1e-6 in single, 1e-12 in double precision.
    EXPECT_LT(test::relative_difference(every_stride(single), expected), 1e-6);
    EXPECT_LT(test::relative_difference(every_stride(fine), expected), 1e-12);
    EXPECT_LT(test::relative_difference(single, fine), 1e-6);

    const auto cpu = make_cpu_backend(0);
    EXPECT_LT(test::relative_difference(fine, apply(*cpu, q, image, maps, Precision::double_)), 1e-12);
    EXPECT_LT(test::relative_difference(single, apply(*cpu, q, image, maps, Precision::single)), 1e-6);

    const std::vector<cdouble> again = apply(gpu(), q, image, maps, Precision::single);
    EXPECT_EQ(0, std::memcmp(single.data(), again.data(), single.size() * sizeof(cdouble)));
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GpuToeplitz,
    ::testing::Values(ToeplitzCase{{1, 1, 1}, 0}, ToeplitzCase{{1, 1, 1}, 2}, ToeplitzCase{{2, 1, 1}, 0},
                      ToeplitzCase{{19, 1, 1}, 3}, ToeplitzCase{{1, 1, 8}, 1}, ToeplitzCase{{1, 7, 1}, 2},
                      ToeplitzCase{{20, 21, 1}, 0}, ToeplitzCase{{5, 1, 13}, 2}, ToeplitzCase{{1, 16, 9}, 3},
                      ToeplitzCase{{64, 48, 1}, 2}, ToeplitzCase{{2, 2, 2}, 0}, ToeplitzCase{{8, 7, 5}, 0},
                      ToeplitzCase{{3, 32, 17}, 2}, ToeplitzCase{{33, 10, 3}, 1}, ToeplitzCase{{40, 2, 24}, 5},
                      ToeplitzCase{{23, 16, 12}, 9}, ToeplitzCase{{1500, 3, 1}, 2}));

/// Lengths that have kernels of their own, along each axis.
INSTANTIATE_TEST_SUITE_P(FixedLengths, GpuToeplitz,
                         ::testing::Values(ToeplitzCase{{128, 3, 2}, 2}, ToeplitzCase{{3, 128, 2}, 0},
                                           ToeplitzCase{{2, 3, 128}, 2}, ToeplitzCase{{192, 2, 3}, 0},
                                           ToeplitzCase{{3, 192, 2}, 2}, ToeplitzCase{{2, 3, 192}, 0},
                                           ToeplitzCase{{256, 3, 2}, 0}, ToeplitzCase{{2, 256, 3}, 1},
                                           ToeplitzCase{{3, 2, 255}, 2}));

/// Sizes of real scans; the direct sum on some 500 voxels.
INSTANTIATE_TEST_SUITE_P(Scans, GpuToeplitz,
                         ::testing::Values(ToeplitzCase{{64, 64, 64}, 0}, ToeplitzCase{{220, 220, 1}, 4},
                                           ToeplitzCase{{75, 90, 40}, 3}, ToeplitzCase{{128, 100, 30}, 1}));

using GpuToeplitzPlan = test::OnGpu<>;

/// conj(D) (Q * (D image)), by the passes, in slabs, and by the whole grid: as the plain plan between two products.
TEST_F(GpuToeplitzPlan, ModulatesInEveryWay) {
    for (const PerAxis<Index> n : {PerAxis<Index>{24, 19, 10}, PerAxis<Index>{33, 40, 1}, PerAxis<Index>{130, 2, 3}}) {
        const Shape shape = Shape::image(n);
        const Shape differences = VoxelGrid::differences(n).shape;
        Array q(gpu(), differences, Precision::double_);
        upload(random_kernel(differences), q);
        const Array image = test::random_array(gpu(), shape, Precision::single, 1);
        const Array maps = test::random_array(gpu(), shape.with_axis("coil", 3), Precision::single, 2);
        const Array modulation = test::random_array(gpu(), shape, Precision::single, 4);
        Array modulated(gpu(), shape, Precision::single);
        Array expected(gpu(), shape, Precision::single);
        Array result(gpu(), shape, Precision::single);
        gpu().multiply(Conjugate::no, modulation, image, Accumulate::no, modulated);
        gpu().make_toeplitz(shape, q, Precision::single)->apply(modulated, maps.view(), expected);
        gpu().multiply(Conjugate::yes, modulation, expected, Accumulate::no, expected);
        for (const GpuToeplitzOptions& options :
             {GpuToeplitzOptions{}, GpuToeplitzOptions{.slab_bytes = 1 << 16}, GpuToeplitzOptions{.full_grid = true}}) {
            const auto plan = make_cuda_toeplitz(gpu(), shape, q, Precision::single, options, modulation.clone());
            plan->apply(image, maps.view(), result);
            EXPECT_LT(test::relative_difference(download<double>(result), download<double>(expected)), 1e-6);
            plan->apply(image, maps.view(), result, Accumulate::yes);
            gpu().axpby(-2, expected, 1, result);
            EXPECT_LT(norm(result), 2e-6 * norm(expected));
        }
    }
}

TEST_F(GpuToeplitzPlan, RefusesWhatDoesNotFit) {
    const Shape shape = Shape::image({4, 3, 2});
    Array q(gpu(), Shape::image({7, 5, 3}), Precision::double_);
    gpu().fill(1, q);
    const auto plan = gpu().make_toeplitz(shape, q, Precision::single);
    Array image(gpu(), shape, Precision::single);
    Array result(gpu(), shape, Precision::single);
    Array fine(gpu(), shape, Precision::double_);
    Array maps(gpu(), shape.with_axis("coil", 2), Precision::single);
    Array other(gpu(), Shape::image({4, 2, 3}), Precision::single);
    gpu().fill(1, image);
    gpu().fill(1, maps);
    EXPECT_NO_THROW(plan->apply(image, maps.view(), result));
    EXPECT_THROW(plan->apply(image, std::nullopt, image), ShapeError);
    EXPECT_THROW(plan->apply(other, std::nullopt, result), ShapeError);
    EXPECT_THROW(plan->apply(image, std::nullopt, fine), ShapeError);
    EXPECT_THROW(plan->apply(image, other.view(), result), ShapeError);
    EXPECT_THROW(gpu().make_toeplitz(Shape::image({4, 3, 3}), q, Precision::single), ShapeError);
    gpu().fill({NAN, 0}, q);
    EXPECT_THROW(gpu().make_toeplitz(shape, q, Precision::single), InputError);
}

}  // namespace
}  // namespace recon
