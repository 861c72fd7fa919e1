#include "core/mri/check/spikes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "core/base/host_pages.hpp"
#include "core/base/quantile.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {
namespace {

constexpr double above_neighbours = 8, above_shells = 6, part_below = 0.995, most_part = 0.005;
constexpr double least_radius = 1.5;  // cycles per FOV
constexpr std::size_t fewest = 400;   // numbers that tell a quantile

std::vector<float> root_sum_of_squares(const AllCoils& kspace) {
    const Share& here = kspace.here();
    auto magnitudes = unwritten_vector<float>(static_cast<std::size_t>(kspace.length()));
    constexpr Index at_once = Index{1} << 20;                   // of the samples: their squares are in double precision
    constexpr std::size_t piece_length = std::size_t{1} << 12;  // which stay in a cache from coil to coil
    auto room = unwritten_vector<double>(static_cast<std::size_t>(std::min(at_once, kspace.length())));
    for (Index first = 0; first < kspace.length(); first += at_once) {
        const std::span<double> squares =
            std::span(room).first(static_cast<std::size_t>(std::min(at_once, kspace.length() - first)));
#pragma omp parallel for schedule(static)
        for (std::size_t begin = 0; begin < squares.size(); begin += piece_length) {
            const std::size_t end = std::min(begin + piece_length, squares.size());
            std::fill(squares.begin() + static_cast<Index>(begin), squares.begin() + static_cast<Index>(end), 0.0);
            for (Index coil = here.first; coil < here.first + here.count; ++coil) {
                const cfloat* const values = kspace.coil(coil).data() + first;
                for (std::size_t m = begin; m < end; ++m) {
                    squares[m] += std::norm(cdouble(values[m]));
                }
            }
        }
        kspace.sum(squares);
#pragma omp parallel for schedule(static)
        for (std::size_t m = 0; m < squares.size(); ++m) {
            magnitudes[static_cast<std::size_t>(first) + m] = static_cast<float>(std::sqrt(squares[m]));
        }
    }
    return magnitudes;
}

std::vector<float> radii(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    auto result = unwritten_vector<float>(static_cast<std::size_t>(trajectory.sample_count()));
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < result.size(); ++m) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            square += matrix_size[axis] > 1 ? trajectory.k[axis][m] * trajectory.k[axis][m] : 0;
        }
        result[m] = static_cast<float>(std::sqrt(square));
    }
    return result;
}

/// The magnitudes sorted into rings of k-space, a cycle per FOV wide.
struct Rings {
    std::vector<float> magnitudes;    ///< those of a ring one after another
    std::vector<std::size_t> starts;  ///< of the rings, and the end of the last

    std::size_t count() const { return starts.size() - 1; }
    std::span<float> join(std::size_t first, std::size_t end) {
        return std::span(magnitudes).subspan(starts[first], starts[end] - starts[first]);
    }
};

Rings rings_of(const std::vector<float>& radius, const std::vector<float>& magnitudes) {
    constexpr float most_rings = 1e4;
    const auto ring_of = [&](std::size_t m) { return static_cast<std::size_t>(std::min(radius[m], most_rings)); };
    const std::size_t samples = radius.size(), pieces = std::min<std::size_t>(64, 1 + samples / 4096);
    const auto begin_of = [&](std::size_t piece) { return samples * piece / pieces; };
    // Of each ring how many samples a piece has, then where these go.
    std::vector<std::vector<std::size_t>> places(pieces);
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        std::vector<std::size_t> counts;
        for (std::size_t m = begin_of(piece); m < begin_of(piece + 1); ++m) {
            const std::size_t ring = ring_of(m);
            if (ring >= counts.size()) {
                counts.resize(ring + 1);
            }
            ++counts[ring];
        }
        places[piece] = std::move(counts);
    }
    std::size_t ring_count = 0, placed = 0;
    for (const std::vector<std::size_t>& piece : places) {
        ring_count = std::max(ring_count, piece.size());
    }
    Rings rings{unwritten_vector<float>(samples), {}};
    for (std::size_t ring = 0; ring < ring_count; ++ring) {
        rings.starts.push_back(placed);
        for (std::vector<std::size_t>& piece : places) {
            if (ring < piece.size()) {
                placed += std::exchange(piece[ring], placed);
            }
        }
    }
    rings.starts.push_back(placed);
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        std::vector<std::size_t> next = std::move(places[piece]);
        for (std::size_t m = begin_of(piece); m < begin_of(piece + 1); ++m) {
            rings.magnitudes[next[ring_of(m)]++] = magnitudes[m];
        }
    }
    return rings;
}

/// For each ring what most samples there and further out stay below: the largest such quantile of the rings, each
/// joined with the next ones out, or in, until there are enough to tell.
std::vector<double> levels_of_rings(Rings rings) {
    std::vector<std::size_t> ends{rings.count()};  // of rings that are joined, from the outermost in; then 0
    for (std::size_t ring = rings.count(); ring-- > 0;) {
        if (rings.join(ring, ends.back()).size() >= fewest || ring == 0) {
            ends.push_back(ring);
        }
    }
    std::vector<double> of_joined(ends.size() - 1);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < of_joined.size(); ++i) {
        of_joined[i] = quantile(rings.join(ends[i + 1], ends[i]), part_below);
    }
    std::vector<double> levels(rings.count());
    double level = 0;
    for (std::size_t i = 0; i < of_joined.size(); ++i) {
        level = std::max(level, of_joined[i]);
        std::fill(levels.begin() + static_cast<std::ptrdiff_t>(ends[i + 1]),
                  levels.begin() + static_cast<std::ptrdiff_t>(ends[i]), level);
    }
    return levels;
}

/// The largest of the samples two to four places away, in a readout from `first` to `end`.
double largest_neighbour(const std::vector<float>& magnitudes, Index m, Index first, Index end) {
    double largest = 0;
    for (Index distance = 2; distance <= 4; ++distance) {
        for (const Index n : {m - distance, m + distance}) {
            if (n >= first && n < end) {
                largest = std::max<double>(largest, magnitudes[static_cast<std::size_t>(n)]);
            }
        }
    }
    return largest;
}

}  // namespace

std::vector<Index> find_spikes(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                               Index samples_per_readout) {
    const Index sample_count = trajectory.sample_count();
    const std::vector<float> magnitudes = root_sum_of_squares(kspace);
    const std::vector<float> radius = radii(trajectory, matrix_size);
    const std::vector<double> levels = levels_of_rings(rings_of(radius, magnitudes));
    const Index length = samples_per_readout > 0 ? samples_per_readout : sample_count;
    const std::vector<Index> spikes = ordered_indices(sample_count, [&](Index m) {
        const auto at = static_cast<std::size_t>(m);
        const auto ring = std::min(levels.size() - 1, static_cast<std::size_t>(std::max(0.0F, radius[at] - 1)));
        if (radius[at] < least_radius || !(magnitudes[at] > above_shells * levels[ring])) {
            return false;
        }
        const Index first = m / length * length;
        return magnitudes[at] >
               above_neighbours * largest_neighbour(magnitudes, m, first, std::min(first + length, sample_count));
    });
    return static_cast<double>(spikes.size()) > most_part * static_cast<double>(sample_count) ? std::vector<Index>()
                                                                                              : spikes;
}

}  // namespace recon
