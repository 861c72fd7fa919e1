#pragma once

#include "core/operators/penalties/penalty.hpp"

namespace recon {

/// sum_n |z[n]|, accumulated in double.
double magnitude_sum(ConstArrayView z);

/// f(z) = sum_n sqrt(sum_a |z[n, a]|^2) over `joint_count` parts a, the slowest in memory: the isotropic total
/// variation of [Rudin 1992] if z are the differences along each axis, and the l1 norm if there is one part.
class JointSparsity final : public Penalty {
public:
    explicit JointSparsity(Index joint_count) : joint_count_(joint_count) {}

    void proximal(double threshold, ArrayView z) const override;
    double value(ConstArrayView z) const override;

private:
    Index joint_count_;
};

}  // namespace recon
