#include "core/operators/measured_accuracy.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "core/backend/array_elements.hpp"
#include "core/backend/backend.hpp"
#include "core/fourier/few_voxel_sums.hpp"

namespace recon {
namespace {

constexpr Index fewest_voxels = 8;
constexpr Index most_voxels = 64;        ///< of E^H d and E^H E, whose pairs of voxels are counted
constexpr Index most_differences = 400;  ///< of Q

/// Distinct offsets into an array of `size`, in random order; the same for the same seed.
std::vector<Index> random_offsets(Index size, Index count, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::set<Index> chosen;
    std::vector<Index> offsets;
    while (static_cast<Index>(offsets.size()) < std::min(count, size)) {
        const auto offset = static_cast<Index>(generator() % static_cast<std::uint64_t>(size));
        if (chosen.insert(offset).second) {
            offsets.push_back(offset);
        }
    }
    return offsets;
}

std::vector<cdouble> random_phases(std::size_t count, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::vector<cdouble> values(count);
    for (cdouble& value : values) {
        value = std::polar(1.0, 2 * pi * static_cast<double>(generator() >> 11) * 0x1p-53);
    }
    return values;
}

double sum_over(Communicator& ranks, Index count) { return ranks.sum(static_cast<double>(count)); }
void sum_over(Communicator& ranks, std::vector<cdouble>& values) {
    ranks.all_reduce_sum(std::span(reinterpret_cast<double*>(values.data()), 2 * values.size()));
}

/// What so many voxels take: core seconds of all ranks, and seconds that no other thread can share.
struct CheckCost {
    double core_seconds;
    double serial_seconds;
};

/// The greatest count, doubled from the fewest up to the most, that takes no more than `seconds`; the fewest in any
/// case.
template <class Cost>
Index affordable(Index most, double seconds, Communicator& ranks, Cost&& cost_of) {
    const double threads = sum_over(ranks, omp_get_max_threads()) / ranks.size();
    Index count = fewest_voxels;
    while (2 * count <= most) {
        const CheckCost cost = cost_of(static_cast<double>(2 * count));
        if (cost.core_seconds / threads + cost.serial_seconds > seconds) {
            break;
        }
        count *= 2;
    }
    return count;
}

/// How many voxels E^H d and E^H E are seen at; every second one is lit.
Index affordable_voxels(const AccuracySubject& subject) {
    constexpr double transfer_seconds = 1e-5;  // of a single number, from a device
    const Index coil_count = subject.encoding.coils().coil_count();
    const double samples = sum_over(subject.ranks, subject.trajectory.sample_count());
    const double data = sum_over(subject.ranks, subject.trajectory.sample_count() * coil_count);
    // with coils divided between ranks, the same number on all of them
    const double coils = data / samples;
    const double transfers = subject.encoding.backend().memory_is_host() ? 0 : (coils + 3) * transfer_seconds;
    return affordable(most_voxels, subject.seconds, subject.ranks, [&](double voxels) {
        return CheckCost{FewVoxelSums::predicted_seconds(voxels * samples, voxels * (data + voxels / 2 * samples)),
                         voxels * transfers};
    });
}

std::vector<double> product(std::span<const double> a, std::span<const double> b) {
    std::vector<double> result(a.empty() ? b.begin() : a.begin(), a.empty() ? b.end() : a.end());
    for (std::size_t m = 0; m < result.size() && !a.empty() && !b.empty(); ++m) {
        result[m] *= b[m];
    }
    return result;
}

FewVoxelSums sums_at(const AccuracySubject& subject, const std::vector<Index>& voxels) {
    std::vector<cdouble> rates_per_s;
    if (!subject.off_resonance.empty()) {
        for (const Index voxel : voxels) {
            rates_per_s.push_back(subject.off_resonance.rate_per_s(voxel));
        }
    }
    return {subject.trajectory, Positions::of(subject.encoding.sums().grid(), voxels), std::move(rates_per_s),
            subject.sample_times_s};
}

/// The relative L2 error of a whole image, of which a part was seen: sums over strata of voxels, each scaled from those
/// that were drawn to all that it has.
class ErrorOfWhole {
public:
    /// @param total  voxels of the stratum
    void add_stratum(std::span<const cdouble> values, std::span<const cdouble> reference, Index total) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double each = static_cast<double>(total) / static_cast<double>(values.size());
            difference_ += each * std::norm(values[i] - reference[i]);
            reference_ += each * std::norm(reference[i]);
        }
    }
    /// @param size  norm of the whole image; the reference's own, as far as it was seen, where that is 0
    double relative_to(double size) const {
        const double divisor = size > 0 ? size : std::sqrt(reference_);
        return divisor > 0 ? std::sqrt(difference_) / divisor : 0;
    }

private:
    double difference_ = 0;
    double reference_ = 0;
};

double fhd_error(const AccuracySubject& subject, const std::vector<Index>& voxels,
                 const std::vector<cdouble>& reference) {
    ErrorOfWhole error;
    error.add_stratum(download_elements(subject.fhd, voxels), reference, subject.fhd.size());
    return error.relative_to(norm(subject.fhd));
}

/// Of E^H E of the image that is `values` at the first of the voxels, which are a stratum of their own: their diagonal
/// dwarfs the rest of the product.
double normal_error(const AccuracySubject& subject, const std::vector<Index>& voxels,
                    const std::vector<cdouble>& values, const std::vector<cdouble>& reference) {
    const Encoding& encoding = subject.encoding;
    Array image(encoding.backend(), encoding.domain(), encoding.precision());
    Array result(encoding.backend(), encoding.domain(), encoding.precision());
    encoding.backend().fill(0, image);
    upload_elements(values, std::span(voxels).first(values.size()), image);
    subject.normal.normal(image, result);
    const std::vector<cdouble> found = download_elements(result, voxels);
    const auto lit_count = static_cast<Index>(values.size());
    ErrorOfWhole error;
    error.add_stratum(std::span(found).first(lit_count), std::span(reference).first(lit_count), lit_count);
    error.add_stratum(std::span(found).subspan(lit_count), std::span(reference).subspan(lit_count),
                      result.size() - lit_count);
    return error.relative_to(norm(result));
}

}  // namespace

void measure_encoding(const AccuracySubject& subject, MeasuredAccuracy& accuracy) {
    const Encoding& encoding = subject.encoding;
    const std::vector<Index> voxels =
        random_offsets(encoding.sums().grid().shape.element_count(), affordable_voxels(subject), 2);
    const std::vector<cdouble> values = random_phases((voxels.size() + 1) / 2, 4);
    if (!encoding.backend().computes()) {  // what is on the backend
        const std::vector<cdouble> none(voxels.size());
        accuracy.normal = normal_error(subject, voxels, values, none);
        return;
    }
    const Index coil_count = encoding.coils().coil_count();
    const std::vector<double> fhd_weights = product(subject.sample_factors, subject.root_weights);
    const std::vector<double> normal_weights = product(subject.sample_factors, subject.sample_factors);
    const FewVoxelSums::OfEncoding sums =
        sums_at(subject, voxels)
            .of_encoding(fhd_weights, subject.kspace, coil_count, normal_weights, static_cast<Index>(values.size()));

    // sum_c conj(S_c(r_v)) [F^H d_c](r_v), and sum_u (sum_c conj(S_c(r_v)) S_c(r_u)) x_u sum_m g^2 e_v conj(e_u)
    std::vector<cdouble> fhd(voxels.size());
    std::vector<cdouble> normal(voxels.size());
    for (Index coil = 0; coil < coil_count; ++coil) {
        const std::vector<cdouble> map = encoding.coils().map_at(coil, voxels);
        for (std::size_t v = 0; v < voxels.size(); ++v) {
            fhd[v] += std::conj(map[v]) * sums.adjoint[coil * voxels.size() + v];
            for (std::size_t lit = 0; lit < values.size(); ++lit) {
                normal[v] += std::conj(map[v]) * map[lit] * values[lit] * sums.normal[lit * voxels.size() + v];
            }
        }
    }
    sum_over(subject.ranks, fhd);
    sum_over(subject.ranks, normal);
    accuracy.fhd = fhd_error(subject, voxels, fhd);
    accuracy.normal = normal_error(subject, voxels, values, normal);
}

double measured_q_error(ConstArrayView q, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                        std::span<const double> weights, double seconds, Communicator& ranks) {
    if (!q.backend().computes()) {
        return 0;
    }
    const double samples = sum_over(ranks, trajectory.sample_count());
    const Index count = affordable(most_differences, seconds, ranks, [&](double differences) {
        return CheckCost{FewVoxelSums::predicted_seconds(differences * samples, 0), 0};
    });
    const std::vector<Index> differences = random_offsets(q.size(), count, 1);
    const Positions positions = Positions::of(VoxelGrid::differences(matrix_size), differences);
    std::vector<cdouble> direct = FewVoxelSums(trajectory, positions).sums(weights);
    sum_over(ranks, direct);
    ErrorOfWhole error;
    error.add_stratum(download_elements(q, differences), direct, q.size());
    return error.relative_to(norm(q));
}

}  // namespace recon
