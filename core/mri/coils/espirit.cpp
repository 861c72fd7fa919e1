#include "core/mri/coils/espirit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/mri/coils/coil_calibration_images.hpp"
#include "core/mri/coils/dominant_eigenvectors.hpp"
#include "core/mri/coils/espirit_kernel.hpp"
#include "core/mri/coils/hermitian_matrix.hpp"
#include "core/mri/coils/until_cancelled.hpp"

namespace recon {
namespace {

/// Rows first, ..., of A, [patch (point coil)], columns coil by coil.
std::vector<cdouble> calibration_rows(const CalibrationKspace& calibration, const EspiritKernel& kernel, Index first,
                                      Index count) {
    const PerAxis<Index> half = calibration.region.half_extent();
    const Shape box = calibration.region.box();
    const Index point_count = static_cast<Index>(kernel.points.size());
    std::vector<cdouble> a(count * point_count * calibration.coil_count);
#pragma omp parallel for
    for (Index coil = 0; coil < calibration.coil_count; ++coil) {
        for (Index p = 0; p < point_count; ++p) {
            for (Index row = 0; row < count; ++row) {
                const PerAxis<Index>& corner = kernel.corners[first + row];
                Index index = coil;
                for (int axis = 2; axis >= 0; --axis) {
                    index = index * box.extent(axis) + corner[axis] + kernel.points[p][axis] + half[axis];
                }
                a[(coil * point_count + p) * count + row] = calibration.values[index];
            }
        }
    }
    return a;
}

/// A^H A, from a few rows of A at a time
std::vector<cdouble> gram_matrix(const CalibrationKspace& calibration, const EspiritKernel& kernel) {
    constexpr Index rows_at_once = 512;
    const Index columns = kernel.columns(calibration.coil_count);
    const Index row_count = static_cast<Index>(kernel.corners.size());
    std::vector<cdouble> gram(columns * columns);
    for (Index first = 0; first < row_count; first += rows_at_once) {
        const Index count = std::min(rows_at_once, row_count - first);
        add_gram_matrix(calibration_rows(calibration, kernel, first, count).data(), count, columns, gram.data());
    }
    return gram;
}

/// Signal and noise in squared singular values, largest first, of a matrix of rows x columns.
struct Spectrum {
    Index rank;
    double noise;      ///< standard deviation of the matrix's elements beyond the signal
    double threshold;  ///< singular value, relative to the largest
};

/// The smallest rank beyond which the rest looks like noise: its level sigma is that of the rest, and no singular value
/// of it exceeds sigma (sqrt(rows) + sqrt(columns)), the edge of noise [Marchenko 1967].
/// @param columns  that noise fills
Spectrum split_spectrum(const std::vector<double>& squares, Index rows, Index columns) {
    constexpr double least = 1e-3;
    const Index all = std::min(rows, static_cast<Index>(squares.size()));
    const Index count = std::min(rows, columns);
    Spectrum spectrum{0, 0, least};
    double rest = 0;
    for (Index i = 0; i < all; ++i) {
        rest += std::max(squares[i], 0.0);
    }
    for (; spectrum.rank < count; ++spectrum.rank) {
        const double freedom = static_cast<double>(rows - spectrum.rank) * static_cast<double>(columns - spectrum.rank);
        spectrum.noise = std::sqrt(std::max(rest, 0.0) / freedom);
        const double edge =
            spectrum.noise * (std::sqrt(static_cast<double>(rows)) + std::sqrt(static_cast<double>(columns)));
        spectrum.threshold = std::max(least, edge / std::sqrt(squares[0]));
        if (squares[spectrum.rank] <= spectrum.threshold * spectrum.threshold * squares[0]) {
            break;
        }
        rest -= squares[spectrum.rank];
    }
    if (spectrum.rank == 0 || spectrum.rank == count) {  // nothing looks like signal, or nothing like noise
        spectrum.threshold = least;
        spectrum.rank = std::count_if(squares.begin(), squares.begin() + all,
                                      [&](double square) { return square > least * least * squares[0]; });
    }
    return spectrum;
}

/// G from the lower triangle of the projection on the row space, P = V V^H.
CoilMatrixField matrix_field(const std::vector<cdouble>& projection, const EspiritKernel& kernel, Index coil_count,
                             double step) {
    const Index point_count = static_cast<Index>(kernel.points.size());
    const Index columns = kernel.columns(coil_count);
    const auto of_projection = [&](Index row, Index column) {
        return row >= column ? projection[column * columns + row] : std::conj(projection[row * columns + column]);
    };
    CoilMatrixField field(coil_count, kernel.degree());
    field.pairs.set_step(step);
    const Index pair_count = field.pairs.component_count();
    const float scale = 1 / static_cast<float>(point_count);
#pragma omp parallel for schedule(dynamic)
    for (Index pair = 0; pair < pair_count; ++pair) {
        Index c2 = 0;
        while (CoilMatrixField::pair(0, c2 + 1) <= pair) {
            ++c2;
        }
        const Index c = pair - CoilMatrixField::pair(0, c2);
        for (Index p = 0; p < point_count; ++p) {
            for (Index p2 = 0; p2 < point_count; ++p2) {
                PerAxis<Index> q{};
                for (int axis = 0; axis < 3; ++axis) {
                    q[axis] = kernel.points[p][axis] - kernel.points[p2][axis];
                }
                // G = H^T: the pair (c, c2) of G is (c2, c) of P
                field.pairs.coefficients(q)[pair] +=
                    scale * static_cast<cfloat>(of_projection(c2 * point_count + p, c * point_count + p2));
            }
        }
    }
    return field;
}

/// Stein's unbiased estimate of the error of the projected calibration image falls by |S^H m|^2 - 2 sigma^2 with every
/// voxel that is kept. Voxels are taken by their eigenvalue: where to stop.
double crop_of_least_error(const std::vector<float>& eigenvalues, const std::vector<float>& energy, double variance) {
    constexpr double lowest = 0.5;  // the noise of an undersampled centre must not open the map to everything
    constexpr double highest = 0.99;
    constexpr Index bins = 200;  // in steps of the logarithm of 1 - eigenvalue, from 1 to 1e-4
    const auto bin_of = [&](double eigenvalue) {
        return std::clamp<Index>(static_cast<Index>(-std::log10(std::max(1 - eigenvalue, 1e-4)) * bins / 4), 0, bins);
    };
    constexpr Index at_once = 65536;  // the same sums for any number of threads
    const auto voxel_count = static_cast<Index>(energy.size());
    std::vector<std::vector<double>> gains((voxel_count + at_once - 1) / at_once, std::vector<double>(bins + 1, 0.0));
#pragma omp parallel for schedule(static)
    for (Index first = 0; first < voxel_count; first += at_once) {
        std::vector<double>& gain = gains[first / at_once];
        for (Index voxel = first; voxel < std::min(first + at_once, voxel_count); ++voxel) {
            gain[bin_of(eigenvalues[voxel])] += energy[voxel] - 2 * variance;
        }
    }
    double sum = 0;
    double best = 0;
    double crop = 0;  // where nothing exceeds the noise there is nothing to choose by
    for (Index bin = bins; bin >= 0; --bin) {
        for (const std::vector<double>& gain : gains) {
            sum += gain[bin];
        }
        if (sum > best) {
            best = sum;
            crop = std::clamp(1 - std::pow(10.0, -4.0 * static_cast<double>(bin) / bins), lowest, highest);
        }
    }
    return crop;
}

/// Maps become 0 where their eigenvalue is below the threshold. @return in how many voxels
Index crop_maps(DominantEigenvectors& maps, double threshold) {
    const Index voxel_count = static_cast<Index>(maps.eigenvalues.size());
    Index cropped = 0;
#pragma omp parallel for schedule(static) reduction(+ : cropped)
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        if (maps.eigenvalues[voxel] < threshold) {
            ++cropped;
            for (Index at = voxel; at < static_cast<Index>(maps.vectors.size()); at += voxel_count) {
                maps.vectors[at] = 0;
            }
        }
    }
    return cropped;
}

}  // namespace

struct Espirit::SignalSpace {
    EspiritReport report;
    double energy;  ///< of the calibration matrix
    CoilMatrixField field;

    static SignalSpace of(const CalibrationKspace& calibration, const EspiritOptions& options) {
        const Index coil_count = calibration.coil_count;
        const EspiritKernel kernel =
            choose_kernel(calibration.region, coil_count, options.kernel_width, calibration.points_per_cycle);
        const Index patch_count = static_cast<Index>(kernel.corners.size());
        const Index column_count = kernel.columns(coil_count);
        std::vector<cdouble> gram = gram_matrix(calibration, kernel);
        double energy = 0;
        for (Index i = 0; i < column_count; ++i) {
            energy += gram[i * (column_count + 1)].real();
        }
        if (!(energy > 0)) {
            throw InputError("coil maps: the centre of k-space is zero; give `coil_maps` FILE");
        }
        for (cdouble& value : gram) {
            value /= energy;
        }
        const HermitianSpectrum eigen =
            until_cancelled([gram = std::move(gram)] { return spectrum_of_hermitian(gram); });
        const Spectrum spectrum = split_spectrum({eigen.values.rbegin(), eigen.values.rend()}, patch_count,
                                                 kernel.free_columns(coil_count, calibration.step()));
        return {
            .report = {.kernel_width = *std::max_element(kernel.width.begin(), kernel.width.end()),
                       .patch_count = patch_count,
                       .column_count = column_count,
                       .rank = spectrum.rank,
                       .threshold = spectrum.threshold,
                       .noise = spectrum.noise * std::sqrt(energy)},
            .energy = energy,
            .field = matrix_field(projection_on_largest(eigen, spectrum.rank), kernel, coil_count, calibration.step())};
    }
};

Espirit::Espirit(const CalibrationKspace& calibration, const EspiritOptions& options)
    : Espirit(calibration, options, SignalSpace::of(calibration, options)) {}

Espirit::Espirit(const CalibrationKspace& calibration, const EspiritOptions& options, SignalSpace found)
    : options_(options),
      report_(found.report),
      field_(std::move(found.field)),
      images_(calibration_images(calibration, 1 / std::sqrt(found.energy))),
      image_variance_(std::pow(found.report.noise, 2) / found.energy * calibration_noise_gain(calibration)),
      reference_(principal_component(calibration)) {}

Espirit Espirit::of_wider_field_of_view(const CalibrationKspace& calibration) const {
    Espirit wider = *this;
    SignalSpace found = SignalSpace::of(calibration, options_);
    wider.report_ = found.report;
    wider.wider_field_ = std::move(found.field);
    return wider;
}

std::vector<cfloat> Espirit::maps(Backend& backend, const PerAxis<Index>& matrix_size,
                                  const std::optional<Share>& coils, EspiritReport* report) const {
    const auto eigenvectors_of = [&](const CoilMatrixField& field, const Share& wanted) {
        return dominant_eigenvectors(backend, {field, images_, reference_, matrix_size}, wanted);
    };
    const Share wanted = coils.value_or(Share{0, field_.coil_count});
    DominantEigenvectors found = eigenvectors_of(field_, wider_field_ ? Share{0, 1} : wanted);
    if (wider_field_) {
        found.vectors = eigenvectors_of(*wider_field_, wanted).vectors;
    }
    const double crop =
        options_.crop < 0 ? crop_of_least_error(found.eigenvalues, found.energies, image_variance_) : options_.crop;
    const Index cropped = crop_maps(found, crop);
    if (report != nullptr) {
        *report = report_;
        report->crop = crop;
        report->cropped_part = static_cast<double>(cropped) / static_cast<double>(found.eigenvalues.size());
    }
    return std::move(found.vectors);
}

std::vector<cfloat> espirit_maps(Backend& backend, const CalibrationKspace& calibration,
                                 const PerAxis<Index>& matrix_size, const EspiritOptions& options,
                                 EspiritReport* report) {
    return Espirit(calibration, options).maps(backend, matrix_size, {}, report);
}

std::size_t espirit_host_bytes(const CalibrationRegion& region, Index coil_count, const PerAxis<Index>& matrix_size,
                               const EspiritOptions& options, Index points_per_cycle) {
    const std::size_t columns =
        choose_kernel(region.in_points(points_per_cycle), coil_count, options.kernel_width, points_per_cycle)
            .columns(coil_count);
    const std::size_t voxels = matrix_size[0] * matrix_size[1] * matrix_size[2];
    constexpr std::size_t matrices = 5;  // A^H A, its copy and reflectors, real vectors, the row space, the projection
    return matrices * columns * columns * sizeof(cdouble) + 2 * voxels * sizeof(float);
}

std::size_t espirit_backend_bytes(const Backend& backend, const CalibrationRegion& region, Index coil_count,
                                  const PerAxis<Index>& matrix_size, Index stored_count, const EspiritOptions& options,
                                  Index points_per_cycle) {
    const EspiritKernel kernel =
        choose_kernel(region.in_points(points_per_cycle), coil_count, options.kernel_width, points_per_cycle);
    return dominant_eigenvectors_bytes(backend, {coil_count, kernel.degree(), region.half_extent(), matrix_size},
                                       stored_count);
}

}  // namespace recon
