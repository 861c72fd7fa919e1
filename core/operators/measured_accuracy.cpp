#include "core/operators/measured_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "core/backend/backend.hpp"
#include "core/fourier/decay_factors.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/fourier/phase_factors.hpp"

namespace recon {
namespace {

constexpr Index pair_budget = 100'000'000;  // a direct sum does some 1e8 pairs a second and core
constexpr Index fewest_voxels = 4;
constexpr Index most_voxels = 400;

using Samples = std::vector<cdouble>;

/// Distinct offsets into an array of `size`, sorted; the same for the same seed.
std::vector<Index> random_offsets(Index size, Index count, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::set<Index> chosen;
    while (static_cast<Index>(chosen.size()) < std::min(count, size)) {
        chosen.insert(static_cast<Index>(generator() % static_cast<std::uint64_t>(size)));
    }
    return {chosen.begin(), chosen.end()};
}

std::vector<cdouble> elements(ConstArrayView array, const std::vector<Index>& offsets) {
    const ConstArrayView list = array.reshaped({{"element", array.size()}});
    std::vector<cdouble> chosen(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        download(list.slices(offsets[i], 1), std::span(chosen).subspan(i, 1));
    }
    return chosen;
}

Index affordable_voxels(Index pairs_per_voxel) {
    return std::clamp(pair_budget / pairs_per_voxel, fewest_voxels, most_voxels);
}

double relative_error(const std::vector<cdouble>& values, const std::vector<cdouble>& reference) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        difference += std::norm(values[i] - reference[i]);
        size += std::norm(reference[i]);
    }
    return size > 0 ? std::sqrt(difference / size) : std::sqrt(difference);
}

Index sum_over(Communicator& ranks, Index count) { return static_cast<Index>(ranks.sum(static_cast<double>(count))); }
void sum_over(Communicator& ranks, std::vector<cdouble>& values) {
    ranks.all_reduce_sum(std::span(reinterpret_cast<double*>(values.data()), 2 * values.size()));
}

class Measurement {
public:
    explicit Measurement(const AccuracySubject& subject)
        : subject_(subject), pairs_per_voxel_(sum_over(subject.ranks, sample_count() * coil_count())) {}

    double fhd_error() const {
        const std::vector<Index> voxels =
            random_offsets(grid().shape.element_count(), affordable_voxels(pairs_per_voxel_), 2);
        const auto weighted_kspace = [&](Index coil) {
            const auto first = subject_.kspace.begin() + coil * sample_count();
            Samples samples(first, first + sample_count());
            scale(samples, subject_.root_weights);
            return samples;
        };
        return relative_error(elements(subject_.fhd, voxels), direct_encoding_adjoint(voxels, weighted_kspace));
    }

    /// An image that is random on some voxels and zero on the others, seen at those voxels and as many more.
    double normal_error() const {
        const Encoding& encoding = subject_.encoding;
        Backend& backend = encoding.backend();
        const Index size = grid().shape.element_count();
        const std::vector<Index> seen = random_offsets(size, 2 * affordable_voxels(3 * pairs_per_voxel_), 3);
        std::mt19937_64 generator(4);
        std::vector<Index> lit;
        std::vector<cdouble> values;
        std::vector<cdouble> host_image(size);
        for (std::size_t i = 0; i < seen.size(); i += 2) {
            const double turn = static_cast<double>(generator() >> 11) * 0x1p-53;
            lit.push_back(seen[i]);
            values.push_back(std::polar(1.0, 2 * pi * turn));
            host_image[seen[i]] = values.back();
        }
        Array image(backend, encoding.domain(), encoding.precision());
        Array result(backend, encoding.domain(), encoding.precision());
        upload(host_image, image);
        subject_.normal.normal(image, result);

        const auto samples_of = [&](Index coil) {
            std::vector<cdouble> coil_values = coil_map_at(coil, lit);
            std::transform(coil_values.begin(), coil_values.end(), values.begin(), coil_values.begin(),
                           std::multiplies<>());
            Samples samples = forward_of(lit, coil_values);
            scale(samples, subject_.sample_factors);
            return samples;
        };
        return relative_error(elements(result, seen), direct_encoding_adjoint(seen, samples_of));
    }

private:
    const VoxelGrid& grid() const { return subject_.encoding.sums().grid(); }
    Index sample_count() const { return subject_.trajectory.sample_count(); }
    Index coil_count() const { return subject_.encoding.coils().coil_count(); }

    static void scale(Samples& samples, std::span<const double> factors) {
        for (std::size_t m = 0; m < factors.size(); ++m) {
            samples[m] *= factors[m];
        }
    }

    std::vector<cdouble> coil_map_at(Index coil, const std::vector<Index>& voxels) const {
        const CoilSensitivity& coils = subject_.encoding.coils();
        std::optional<Array> buffer;
        return coils.has_maps() ? elements(coils.map(coil, subject_.encoding.precision(), buffer), voxels)
                                : std::vector<cdouble>(voxels.size(), 1.0);
    }

    /// exp(-z t_m) of a voxel's rate, [sample]
    Samples off_resonance_factor(Index voxel) const {
        const double frequency_hz = subject_.off_resonance.frequency_hz(voxel);
        const double decay_per_s = subject_.off_resonance.decay_per_s(voxel);
        Samples factor(sample_count());
        for (Index m = 0; m < sample_count(); ++m) {
            const double time_s = subject_.sample_times_s[m];
            const auto [cosine, sine] = phase_factor<double>(-frequency_hz * time_s);
            factor[m] = cdouble(cosine, sine) * decay_factor(decay_per_s * time_s);
        }
        return factor;
    }

    /// F^H samples at the voxels; with off-resonance every voxel has its own sum.
    std::vector<cdouble> adjoint_at(const std::vector<Index>& voxels, const Samples& samples) const {
        if (subject_.off_resonance.empty()) {
            return direct_adjoint_at(subject_.trajectory, grid(), voxels, samples);
        }
        std::vector<cdouble> image;
        for (const Index voxel : voxels) {
            Samples demodulated = off_resonance_factor(voxel);
            std::transform(demodulated.begin(), demodulated.end(), samples.begin(), demodulated.begin(),
                           [](cdouble factor, cdouble sample) { return std::conj(factor) * sample; });
            image.push_back(direct_adjoint_at(subject_.trajectory, grid(), {{voxel}}, demodulated).front());
        }
        return image;
    }

    /// F of an image that is zero but for these voxels.
    Samples forward_of(const std::vector<Index>& voxels, const std::vector<cdouble>& values) const {
        if (subject_.off_resonance.empty()) {
            return direct_forward_of(subject_.trajectory, grid(), voxels, values);
        }
        Samples sum(sample_count());
        for (std::size_t i = 0; i < voxels.size(); ++i) {
            const Samples factor = off_resonance_factor(voxels[i]);
            const Samples samples = direct_forward_of(subject_.trajectory, grid(), {{voxels[i]}}, {{values[i]}});
            for (Index m = 0; m < sample_count(); ++m) {
                sum[m] += factor[m] * samples[m];
            }
        }
        return sum;
    }

    /// sum_c conj(S_c) F^H g samples_c at the voxels, over the coils and samples of all ranks
    template <class CoilSamples>
    std::vector<cdouble> direct_encoding_adjoint(const std::vector<Index>& voxels, CoilSamples&& samples_of) const {
        std::vector<cdouble> sum(voxels.size());
        for (Index coil = 0; coil < coil_count(); ++coil) {
            Samples samples = samples_of(coil);
            scale(samples, subject_.sample_factors);
            const std::vector<cdouble> map = coil_map_at(coil, voxels);
            const std::vector<cdouble> image = adjoint_at(voxels, samples);
            for (std::size_t i = 0; i < voxels.size(); ++i) {
                sum[i] += std::conj(map[i]) * image[i];
            }
        }
        sum_over(subject_.ranks, sum);
        return sum;
    }

    const AccuracySubject& subject_;
    Index pairs_per_voxel_;  ///< of all ranks
};

}  // namespace

void measure_encoding(const AccuracySubject& subject, MeasuredAccuracy& accuracy) {
    const Measurement measurement(subject);
    accuracy.fhd = measurement.fhd_error();
    accuracy.normal = measurement.normal_error();
}

double measured_q_error(ConstArrayView q, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                        std::span<const double> weights, Communicator& ranks) {
    const Index sample_count = sum_over(ranks, trajectory.sample_count());
    const std::vector<Index> differences = random_offsets(q.size(), affordable_voxels(sample_count), 1);
    std::vector<cdouble> direct = direct_q_at(trajectory, matrix_size, differences, weights);
    sum_over(ranks, direct);
    return relative_error(elements(q, differences), direct);
}

}  // namespace recon
