#include "core/mri/priors/joint_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

std::vector<std::uint8_t> classes(std::span<const float> values, int count) {
    std::vector<float> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<float> borders;
    for (int border = 1; border < count; ++border) {
        borders.push_back(sorted[sorted.size() * border / count]);
    }
    std::vector<std::uint8_t> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), [&](float value) {
        return static_cast<std::uint8_t>(std::upper_bound(borders.begin(), borders.end(), value) - borders.begin());
    });
    return result;
}

template <class Function>
void JointHistogram::for_each(Function&& function) const {
    for (int a = 0; a < class_count_; ++a) {
        for (int b = 0; b < class_count_; ++b) {
            function(a, b, static_cast<double>(counts_[a * class_count_ + b]));
        }
    }
}

std::vector<double> JointHistogram::pointwise() const {
    std::vector<double> of_a(class_count_, 0), of_b(class_count_, 0), result(counts_.size(), 0);
    double total = 0;
    for_each([&](int a, int b, double count) {
        of_a[a] += count;
        of_b[b] += count;
        total += count;
    });
    for_each([&](int a, int b, double count) {
        if (count > 0) {
            result[a * class_count_ + b] = std::log(count * total / (of_a[a] * of_b[b]));
        }
    });
    return result;
}

double JointHistogram::information() const {
    const std::vector<double> logarithms = pointwise();
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        sum += static_cast<double>(counts_[i]) * logarithms[i];
        total += static_cast<double>(counts_[i]);
    }
    return total > 0 ? sum / total : 0;
}

}  // namespace recon
