#include "core/operators/penalties/joint_sparsity.hpp"

#include "core/backend/backend.hpp"

namespace recon {
namespace {

/// The square root's dot product with itself is a sum in double, whatever the storage.
double sum_of_magnitudes(ArrayView magnitudes) {
    magnitudes.backend().square_root(magnitudes);
    return magnitudes.backend().dot(magnitudes, magnitudes).real();
}

}  // namespace

double magnitude_sum(ConstArrayView z) {
    Array magnitudes(z.backend(), z.shape(), z.precision());
    z.backend().image_primitives().joint_magnitudes(z, magnitudes);
    return sum_of_magnitudes(magnitudes);
}

void JointSparsity::proximal(double threshold, ArrayView z) const {
    z.backend().image_primitives().soft_threshold(threshold, joint_count_, z);
}

double JointSparsity::value(ConstArrayView z) const {
    Array magnitudes(z.backend(), {{"voxel", z.size() / joint_count_}}, z.precision());
    z.backend().image_primitives().joint_magnitudes(z, magnitudes);
    return sum_of_magnitudes(magnitudes);
}

}  // namespace recon
