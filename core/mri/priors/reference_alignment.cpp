#include "core/mri/priors/reference_alignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/mri/priors/joint_histogram.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {
namespace {

constexpr Index searched_voxels = 1 << 15;  ///< that the search looks at; the verdict looks at all
constexpr Index block_extent = 4;           ///< voxels whose values hang together, for the noise of a gain
constexpr int far_count = 24;
constexpr double gain_to_warn = 3;          ///< times its noise
constexpr double deviations_above_far = 4;  ///< that a related reference is above those shifted far away

Index modulo(Index a, Index n) { return (a % n + n) % n; }

class Comparison {
public:
    Comparison(std::span<const float> image, std::span<const float> reference, PerAxis<Index> matrix_size)
        : n_(matrix_size), voxel_count_(static_cast<Index>(image.size())) {
        class_count_ = static_cast<int>(std::clamp(std::sqrt(static_cast<double>(voxel_count_)) / 4, 4.0, 32.0));
        image_ = classes(image, class_count_);
        reference_ = classes(reference, class_count_);
        // A step that shares no divisor with the voxels and is near the golden section spreads them evenly.
        step_ = std::max<Index>(1, static_cast<Index>(0.6180339887 * static_cast<double>(voxel_count_)));
        while (std::gcd(step_, voxel_count_) != 1) {
            ++step_;
        }
    }

    double information(const Placement& placement, Index looked_at) const {
        JointHistogram histogram(class_count_);
        const Lookup lookup(*this, placement);
        if (looked_at >= voxel_count_) {
            for (Index voxel = 0; voxel < voxel_count_; ++voxel) {
                histogram.add(image_[voxel], reference_[lookup(voxel)]);
            }
        } else {
            for (Index i = 0, voxel = 0; i < looked_at; ++i, voxel = (voxel + step_) % voxel_count_) {
                histogram.add(image_[voxel], reference_[lookup(voxel)]);
            }
        }
        return histogram.information();
    }

    /// From the placement's own shift uphill, along one axis after another, with ever smaller steps.
    double climb(Placement& placement) const {
        double best = information(placement, searched_voxels);
        for (Index step = largest_step(); step > 0; step /= 2) {
            for (bool moved = true; moved;) {
                moved = false;
                for (int axis = 0; axis < 3; ++axis) {
                    for (const Index by : {step, -step}) {
                        Placement tried = placement;
                        tried.shift[axis] += by;
                        if (n_[axis] < 2 || 2 * std::abs(tried.shift[axis]) > n_[axis]) {
                            continue;
                        }
                        const double found = information(tried, searched_voxels);
                        if (found > best) {
                            best = found;
                            placement = tried;
                            moved = true;
                        }
                    }
                }
            }
        }
        return best;
    }

    std::vector<Placement> orientations() const {
        std::vector<Placement> result;
        PerAxis<int> order{0, 1, 2};
        do {
            for (int mirrors = 0; mirrors < 8; ++mirrors) {
                Placement placement;
                bool possible = true;
                for (int axis = 0; axis < 3; ++axis) {
                    placement.source_axis[axis] = order[axis];
                    placement.mirrored[axis] = (mirrors >> axis & 1) != 0;
                    possible = possible && n_[order[axis]] == n_[axis] &&
                               (n_[axis] > 1 || (!placement.mirrored[axis] && order[axis] == axis));
                }
                if (possible) {
                    result.push_back(placement);
                }
            }
        } while (std::next_permutation(order.begin(), order.end()));
        return result;
    }

    /// Gain of information of `better` over the placement as given, over the noise of such gains.
    double gain_deviations(const Placement& better) const {
        const Lookup as_given(*this, Placement{}), moved(*this, better);
        JointHistogram of_given(class_count_), of_moved(class_count_);
        for (Index voxel = 0; voxel < voxel_count_; ++voxel) {
            of_given.add(image_[voxel], reference_[as_given(voxel)]);
            of_moved.add(image_[voxel], reference_[moved(voxel)]);
        }
        const std::vector<double> before = of_given.pointwise(), after = of_moved.pointwise();
        PerAxis<Index> blocks{};
        for (int axis = 0; axis < 3; ++axis) {
            blocks[axis] = (n_[axis] + block_extent - 1) / block_extent;
        }
        std::vector<double> sums(blocks[0] * blocks[1] * blocks[2], 0);
        for (Index voxel = 0; voxel < voxel_count_; ++voxel) {
            const Index x = voxel % n_[0], y = voxel / n_[0] % n_[1], z = voxel / (n_[0] * n_[1]);
            const Index block = x / block_extent + blocks[0] * (y / block_extent + blocks[1] * (z / block_extent));
            sums[block] += after[image_[voxel] * class_count_ + reference_[moved(voxel)]] -
                           before[image_[voxel] * class_count_ + reference_[as_given(voxel)]];
        }
        return over_noise(sums);
    }

    /// Shifted far away, spread over all axes.
    std::vector<double> far_informations() const {
        std::vector<double> result;
        for (int i = 0; i < far_count; ++i) {
            Placement far;
            for (int axis = 0; axis < 3; ++axis) {
                constexpr PerAxis<double> steps{0.8191725134, 0.6710436067, 0.5497004779};  // of the plastic number
                const double part = std::fmod(steps[axis] * (i + 1), 1.0);
                far.shift[axis] =
                    n_[axis] > 1 ? static_cast<Index>((0.25 + 0.5 * part) * static_cast<double>(n_[axis])) : 0;
            }
            result.push_back(information(far, searched_voxels));
        }
        return result;
    }

private:
    /// Offset of the reference's voxel that a placement brings to a voxel of the image: separable along the axes.
    class Lookup {
    public:
        Lookup(const Comparison& comparison, const Placement& placement) : n_(comparison.n_) {
            const PerAxis<Index> stride{1, n_[0], n_[0] * n_[1]};
            for (int axis = 0; axis < 3; ++axis) {
                for (Index i = 0; i < n_[axis]; ++i) {
                    Index from = i - placement.shift[axis];
                    from = placement.mirrored[axis] ? 2 * (n_[axis] / 2) - from : from;
                    offsets_[axis].push_back(modulo(from, n_[axis]) * stride[placement.source_axis[axis]]);
                }
            }
        }
        Index operator()(Index voxel) const {
            return offsets_[0][voxel % n_[0]] + offsets_[1][voxel / n_[0] % n_[1]] +
                   offsets_[2][voxel / (n_[0] * n_[1])];
        }

    private:
        PerAxis<Index> n_;
        PerAxis<std::vector<Index>> offsets_;
    };

    /// Sum over blocks over the noise of such sums. Without a gain blocks win and lose alike; those that lose show how
    /// much, while those that win may hold what the placements differ in: squares of the losers, counted twice. At
    /// least a nat.
    static double over_noise(const std::vector<double>& sums) {
        double gain = 0, squares = 0;
        for (const double sum : sums) {
            gain += sum;
            squares += sum < 0 ? 2 * sum * sum : 0;
        }
        return gain / std::max(std::sqrt(squares), 1.0);
    }

    Index largest_step() const {
        const Index largest = std::max({n_[0], n_[1], n_[2]});
        Index step = 1;
        while (16 * step <= largest) {
            step *= 2;
        }
        return step;
    }

    PerAxis<Index> n_;
    Index voxel_count_;
    Index step_ = 1;
    int class_count_ = 0;
    std::vector<std::uint8_t> image_, reference_;
};

}  // namespace

std::string Placement::text() const {
    constexpr const char* names = "xyz";
    std::string result;
    const auto add = [&](const std::string& part) { result += (result.empty() ? "" : ", ") + part; };
    if (source_axis != PerAxis<int>{0, 1, 2}) {
        add(fmt::format("with its axes {}{}{} as x y z", names[source_axis[0]], names[source_axis[1]],
                        names[source_axis[2]]));
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (mirrored[axis]) {
            add(fmt::format("mirrored along {}", names[axis]));
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (shift[axis] != 0) {
            add(fmt::format("moved by {:+} voxel{} along {}", shift[axis], std::abs(shift[axis]) == 1 ? "" : "s",
                            names[axis]));
        }
    }
    return result.empty() ? "as it is" : result;
}

std::string AlignmentReport::text() const {
    const std::string found =
        fmt::format("{:.3f} nats a voxel in common with a first image, {:.3f} +- {:.3f} when shifted far away",
                    information, far_information, far_deviation);
    switch (verdict) {
        case Alignment::misplaced:
            return fmt::format("{}; {} it would be {:.3f} ({:.1f} times the noise of such a gain)", found, best.text(),
                               best_information, gain_deviations);
        case Alignment::unrelated: return found + ": nothing that chance would not give";
        default: return found + ": no other placement fits better";
    }
}

AlignmentReport check_alignment(std::span<const float> image, std::span<const float> reference,
                                PerAxis<Index> matrix_size) {
    require_voxels(image.size(), matrix_size);
    require_voxels(reference.size(), matrix_size);
    const Comparison comparison(image, reference, matrix_size);
    const auto all = static_cast<Index>(image.size());

    std::vector<Placement> placements = comparison.orientations();
    const auto count = static_cast<Index>(placements.size());
    std::vector<double> informations(placements.size());
#pragma omp parallel for schedule(dynamic)
    for (Index i = 0; i < count; ++i) {
        informations[i] = comparison.climb(placements[i]);
    }
    // Ties, as of a reference that looks the same mirrored, go to the orientation as given, which comes first.
    const auto best = std::max_element(informations.begin(), informations.end()) - informations.begin();

    AlignmentReport report;
    report.information = comparison.information({}, all);
    report.best = placements[best];
    report.best_information = comparison.information(report.best, all);
    if (report.best_information <= report.information) {
        report.best = {};
        report.best_information = report.information;
    }
    const std::vector<double> far = comparison.far_informations();
    for (const double value : far) {
        report.far_information += value / far_count;
    }
    for (const double value : far) {
        report.far_deviation += (value - report.far_information) * (value - report.far_information) / (far_count - 1);
    }
    report.far_deviation = std::sqrt(report.far_deviation);
    if (!report.best.as_given()) {
        report.gain_deviations = comparison.gain_deviations(report.best);
    }
    if (report.gain_deviations > gain_to_warn) {
        report.verdict = Alignment::misplaced;
    } else if (comparison.information({}, searched_voxels) <=
               report.far_information + deviations_above_far * report.far_deviation) {
        report.verdict = Alignment::unrelated;
    }
    return report;
}

}  // namespace recon
