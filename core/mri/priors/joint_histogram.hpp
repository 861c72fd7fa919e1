#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Each value's class: `count` classes of about equal size, in the order of the values; equal values are in one class.
/// @param count  1 to 256
std::vector<std::uint8_t> classes(std::span<const float> values, int count);

/// How often each class of one image meets each class of another.
class JointHistogram {
public:
    explicit JointHistogram(int class_count) : class_count_(class_count), counts_(class_count * class_count, 0) {}

    void add(int a, int b) { ++counts_[a * class_count_ + b]; }

    /// log p(a, b) / (p(a) p(b)) for all pairs of classes, [b a], b fastest; 0 for those that do not occur
    std::vector<double> pointwise() const;
    /// Mutual information of the images, nats a voxel: the mean of `pointwise`. [Maes 1997]
    double information() const;

private:
    template <class Function>
    void for_each(Function&& function) const;

    int class_count_;
    std::vector<Index> counts_;
};

}  // namespace recon
