#include "app/studies/stone2008/stone_published.hpp"

#include <algorithm>

namespace recon::stone {
namespace {

// Gridding: one pass, no sums told apart. The first row of the GPU is called "naive" there; its 5.1 and 5.4 GFLOP/s are
// those of the kernel with the voxel in registers.
constexpr PublishedTimes published_times[] = {
    {"gridding-cpu", "gridding + FFT, CPU", 0, 0.39, 0, 0, 0},
    {"cpu-double", "LS, CPU double", 4009, 518, 1.59, 0, 0},
    {"cpu-single", "LS, CPU single", 2678.7, 342.3, 1.61, 0, 0},
    {"regalloc", "LS, GPU naive", 260.2, 41.0, 1.65, 5.1, 5.4},
    {"constmem", "LS, GPU + constant memory", 72.0, 9.8, 1.57, 0, 0},
    {"fasttrig", "LS, GPU + special functions", 13.6, 2.4, 1.60, 0, 0},
    {"tune", "LS, GPU + experimental tuning", 7.5, 1.5, 1.69, 178.9, 144.5},
};

constexpr PublishedImage published_images[] = {{"gridding", 41.7, 16.8}, {"anatomical", 12, 27.6}};

template <class List>
auto find_in(const List& list, const std::string& id) {
    const auto found = std::ranges::find_if(list, [&](const auto& row) { return id == row.id; });
    return found == std::end(list) ? nullptr : &*found;
}

using Seconds = double (*)(const Row&);

std::optional<double> quotient(const Report& report, const char* above, const char* below, Seconds seconds) {
    const Row* numerator = find_in(report.rows, above);
    const Row* denominator = find_in(report.rows, below);
    if (numerator == nullptr || denominator == nullptr || !numerator->skipped.empty() ||
        !denominator->skipped.empty() || seconds(*denominator) <= 0) {
        return {};
    }
    return seconds(*numerator) / seconds(*denominator);
}

}  // namespace

const PublishedTimes* published_for(const std::string& id) { return find_in(published_times, id); }
const PublishedImage* published_image_for(const std::string& id) { return find_in(published_images, id); }

std::vector<Ratio> headline_ratios(const Report& report) {
    const Seconds q = [](const Row& row) { return row.q ? row.q->seconds : 0; };
    const Seconds fhd = [](const Row& row) { return row.fhd.seconds; };
    const Seconds reconstruction = [](const Row& row) { return row.reconstruction_seconds(); };
    const auto both = [&](const char* id, const char* title, double published, Seconds seconds) {
        return Ratio{id, title, published, quotient(report, "cpu-single", "tune", seconds),
                     quotient(report, "cpu-single", "recon", seconds)};
    };
    return {both("q", "Q: one CPU thread, single precision, over the tuned kernel", 357, q),
            both("fhd", "F^H d: the same", 228, fhd),
            both("reconstruction", "F^H d + solver: the same", 108, reconstruction),
            {"gridding", "least squares (F^H d + solver, tuned kernel) over gridding + FFT on the CPU", 8,
             quotient(report, "tune", "gridding-cpu", reconstruction),
             quotient(report, "recon", "gridding-cpu", reconstruction)}};
}

}  // namespace recon::stone
