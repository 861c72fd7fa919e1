#include "app/reconstruction/problem/data_residual.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"

namespace recon {
namespace {

/// A power of two of the order of the numbers of an array: their squares may leave the range of single precision, and
/// division by it changes nothing else.
double unit_of(ConstArrayView values) {
    const double energy = values.backend().dot(values, values).real();
    const double size = std::sqrt(energy / static_cast<double>(values.size()));
    return energy > 0 && std::isfinite(size) ? std::exp2(std::floor(std::log2(size))) : 1;
}

/// Adds the energies of the coils of a batch to those of its samples, [sample].
void add_squares(ConstArrayView batch, ArrayView of_samples) {
    for (Index coil = 0; coil < batch.shape().extent(1); ++coil) {
        batch.backend().multiply(Conjugate::yes, batch.slice(coil), batch.slice(coil), Accumulate::yes, of_samples);
    }
}

/// This rank's energies of samples among those of all.
std::vector<double> gather(const Division& division, Index sample_count, ConstArrayView of_samples, double unit) {
    const auto count = static_cast<std::size_t>(of_samples.backend().listed(sample_count));
    const bool has_all = of_samples.size() == sample_count;
    auto result = has_all ? unwritten_vector<double>(count) : vector_of_provided_pages<double>(count);
    const auto first = static_cast<std::size_t>(division.samples(sample_count).first);
    download_by_pieces(of_samples, [&](std::size_t m, cfloat energy) {
        result[first + m] = unit * unit * static_cast<double>(energy.real());
    });
    division.ranks().all_reduce_sum(std::span<double>(result));
    return result;
}

}  // namespace

double data_residual_by_parts(const Encoding& encoding, ConstArrayView image, const KspaceBatches& kspace,
                              const Division& division, Index sample_count, ResidualShares& shares) {
    Backend& backend = encoding.backend();
    const Share coils = division.coils();
    const Shape samples = kspace.shape().without_last_axis();
    const double unit = unit_of(kspace.coils(0, std::min(encoding.coils_at_once(), coils.count)));
    Array left(backend, samples, encoding.precision()), predicted_energy(backend, samples, encoding.precision());
    backend.fill(0, left);
    backend.fill(0, predicted_energy);
    const std::size_t all_coils = static_cast<std::size_t>(division.along_coils().sum(coils.count));
    std::vector<double> of_coils(3 * all_coils, 0.0);  // left, measured, predicted
    for_each_batch(encoding, [&](Index first, Index count) {
        Array predicted(backend, samples.with_axis("coil", count), encoding.precision());
        encoding.forward_coils(image, first, predicted);
        const ConstArrayView measured = kspace.coils(first, count);
        const auto add = [&](ConstArrayView batch, std::size_t which) {
            for (Index coil = 0; coil < count; ++coil) {
                of_coils[which * all_coils + static_cast<std::size_t>(coils.first + first + coil)] =
                    backend.dot(batch.slice(coil), batch.slice(coil)).real();
            }
        };
        backend.scale(1 / unit, predicted);
        add(predicted, 2);
        add_squares(predicted, predicted_energy);
        backend.axpby(-1 / unit, measured, 1, predicted);
        add(measured, 1);
        add(predicted, 0);
        add_squares(predicted, left);
    });
    for (const std::size_t which : {std::size_t{0}, std::size_t{2}}) {
        for (std::size_t coil = 0; coil < all_coils; ++coil) {
            of_coils[which * all_coils + coil] *= unit * unit;
        }
    }
    division.ranks().all_reduce_sum(std::span<double>(of_coils));
    const auto part = [&](std::size_t which) {
        const auto begin = of_coils.begin() + static_cast<std::ptrdiff_t>(which * all_coils);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(all_coils));
    };
    shares = {part(0), part(1), part(2), gather(division, sample_count, left, unit),
              gather(division, sample_count, predicted_energy, unit)};
    double difference = 0, data = 0;
    for (std::size_t coil = 0; coil < all_coils; ++coil) {
        difference += shares.of_coils[coil];
        data += shares.data_of_coils[coil];
    }
    return data > 0 ? std::sqrt(difference / data) : 0;
}

}  // namespace recon
