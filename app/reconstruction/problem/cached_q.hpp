#pragma once

#include <span>
#include <string>

#include "core/operators/q_kernel.hpp"
#include "data/files/disk_cache.hpp"

namespace recon {

enum class QOrigin {
    computed,  ///< the cache is off, or computing is faster than reading
    stored,    ///< computed, and kept for the next time
    read
};

/// "computed", "stored" or "cached", for the record.
std::string name_of(QOrigin origin);

struct CachedQ {
    Array q;
    QOrigin origin;
};

/// Seconds to read and check so many bytes of the cache, for the decision whether to keep a Q there: a file that the
/// system still has in memory, or one on a solid-state disk. (docs/series.md has what was measured)
double predicted_cache_seconds(std::size_t bytes);

/// compute_q, with the result kept on disk: it is the same to the last bit whether it was computed or read.
///
/// The key is the digest of all that Q depends on: trajectory and weights of all ranks as they are in memory, matrix
/// size, method and design of the sums, tolerance, precision, kind of device, number of ranks, version of the program.
/// Rank 0 alone reads, writes and decides. Half of Q is kept, in the precision of the sums.
CachedQ cached_q(const DiskCacheOptions& cache, Backend& backend, const Trajectory& trajectory,
                 PerAxis<Index> matrix_size, std::span<const double> weights, const SumsChoice& choice,
                 const SumsOptions& options, Communicator& ranks);

}  // namespace recon
