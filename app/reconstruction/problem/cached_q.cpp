#include "app/reconstruction/problem/cached_q.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recon {
namespace {

/// Part of every key. Raise it when Q of the same input changes by more than rounding.
constexpr int q_format = 1;

/// A digest of all ranks' digests, the same on all of them.
Digest combined(const Digest& own, Communicator& ranks) {
    constexpr std::size_t count = sizeof(Digest) / sizeof(std::uint16_t);
    std::array<double, count> sums{};  // of integers below 2^16: exact, whatever the order
    for (std::size_t i = 0; i < count; ++i) {
        sums[i] = 256.0 * std::to_integer<int>(own[2 * i]) + std::to_integer<int>(own[2 * i + 1]);
    }
    ranks.all_reduce_sum(std::span<double>(sums));
    ContentHash hash;
    hash.add(ranks.size());
    hash.add_list(std::span<const double>(sums));
    return hash.digest();
}

Digest key_of(const Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
              std::span<const double> weights, const SumsChoice& choice, const SumsOptions& options,
              Communicator& ranks) {
    ContentHash hash;
    hash.add(std::string("recon Q"));
    hash.add(q_format);
    hash.add(std::string(RECON_VERSION));
    hash.add(backend.name().substr(0, backend.name().find(':')));  // all devices of a kind
    hash.add(ranks.rank());
    for (const Index extent : matrix_size) {
        hash.add(extent);
    }
    hash.add(options.precision);
    hash.add(std::string(choice.method.name()));
    hash.add(choice.design->key());
    for (const std::vector<double>& component : trajectory.k) {
        hash.add_list(std::span<const double>(component));
    }
    hash.add_list(weights);
    return combined(hash.digest(), ranks);
}

/// What rank 0 has found out, for all.
bool of_first_rank(bool value, Communicator& ranks) { return ranks.sum(ranks.rank() == 0 && value ? 1 : 0) > 0; }

/// Worth its place where reading it takes less time than computing it.
bool pays(const SumsChoice& choice, std::size_t half_bytes, std::size_t key_bytes, int rank_count) {
    return choice.seconds / rank_count > predicted_cache_seconds(half_bytes + key_bytes);
}

/// Half of Q on its way between disk and backend, in the books where the backend's memory is the host's.
class HostHalf {
public:
    HostHalf(Backend& backend, const Shape& shape)
        : claim_(backend.memory_is_host() ? MemoryClaim(backend.memory(), bytes(shape)) : MemoryClaim()),
          values_(static_cast<std::size_t>(shape.element_count())) {}
    static std::size_t bytes(const Shape& shape) {
        return static_cast<std::size_t>(shape.element_count()) * sizeof(cdouble);
    }
    std::span<cdouble> values() { return values_; }
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(values_)); }

private:
    MemoryClaim claim_;
    std::vector<cdouble> values_;
};

void write_half(const DiskCache& cache, const Digest& key, const Array& half) {
    HostHalf host(half.backend(), half.shape());
    download(half, host.values());
    cache.write(key, host.bytes());
}

/// Rank 0 reads; the others get it as the sum of its half and their zeros.
std::optional<Array> read_half(const DiskCache& cache, const Digest& key, Backend& backend, const Shape& shape,
                               Communicator& ranks) {
    std::optional<HostHalf> host;
    if (ranks.rank() == 0 && cache.has(key)) {
        host.emplace(backend, shape);
    }
    if (!of_first_rank(host && cache.read(key, host->bytes()), ranks)) {
        return std::nullopt;
    }
    Array half(backend, shape, Precision::double_);
    if (host) {
        upload(std::span<const cdouble>(host->values()), half);
    } else {
        backend.fill(0, half);
    }
    ranks.all_reduce_sum(half);
    return half;
}

}  // namespace

std::string name_of(QOrigin origin) {
    return origin == QOrigin::computed ? "computed" : origin == QOrigin::stored ? "stored" : "cached";
}

double predicted_cache_seconds(std::size_t bytes) {
    constexpr double latency_s = 1e-3;
    constexpr double bytes_per_s = 1e9;
    return latency_s + static_cast<double>(bytes) / bytes_per_s;
}

CachedQ cached_q(const DiskCacheOptions& options_of_cache, Backend& backend, const Trajectory& trajectory,
                 PerAxis<Index> matrix_size, std::span<const double> weights, const SumsChoice& choice,
                 const SumsOptions& options, Communicator& ranks) {
    const auto compute = [&] {
        return compute_half_of_q(backend, trajectory, matrix_size, weights, choice, options, ranks);
    };
    const Shape half_shape = half_of_differences(matrix_size).shape;
    const std::size_t key_bytes = trajectory.sample_count() * 4 * sizeof(double);
    const bool kept = options.precision == Precision::double_ && options_of_cache.enabled() &&
                      pays(choice, HostHalf::bytes(half_shape), key_bytes, ranks.size());
    if (!of_first_rank(kept, ranks)) {
        return {q_from_half(backend, compute(), matrix_size), QOrigin::computed};
    }
    const DiskCache cache(options_of_cache);
    const Digest key = key_of(backend, trajectory, matrix_size, weights, choice, options, ranks);
    if (const std::optional<Array> half = read_half(cache, key, backend, half_shape, ranks)) {
        return {q_from_half(backend, *half, matrix_size), QOrigin::read};
    }
    const Array half = compute();
    if (ranks.rank() == 0) {
        write_half(cache, key, half);
    }
    return {q_from_half(backend, half, matrix_size), QOrigin::stored};
}

}  // namespace recon
