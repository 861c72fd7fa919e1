#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/backend/backend.hpp"
#include "core/base/registry.hpp"

namespace recon {

/// A way to compute the sums between samples and voxels, by the name of its SamplingKind; or the cheapest.
class SumsMethod {
public:
    /// "auto" or the name of a kind. @throws UsageError that lists the names there are
    static SumsMethod named(std::string_view name);

    static const SumsMethod automatic;
    static const SumsMethod exact;
    static const SumsMethod nufft;

    constexpr std::string_view name() const { return name_; }
    friend constexpr bool operator==(const SumsMethod&, const SumsMethod&) = default;

private:
    constexpr explicit SumsMethod(std::string_view name) : name_(name) {}
    std::string_view name_;  ///< a literal
};
inline constexpr SumsMethod SumsMethod::automatic{"auto"};
inline constexpr SumsMethod SumsMethod::exact{"exact"};
inline constexpr SumsMethod SumsMethod::nufft{"nufft"};

/// How the sums between samples and voxels shall be computed.
struct SumsOptions {
    SumsMethod method = SumsMethod::automatic;
    double tolerance = 1e-6;  ///< relative L2 error asked of those that are not exact
    Precision precision = Precision::single;
};

/// Between what sums are wanted.
struct SamplingSite {
    VoxelGrid grid;
    Index sample_count;     ///< of all ranks
    Index transform_count;  ///< how many images will be transformed with one plan
    double tolerance;       ///< relative L2 error
    Precision precision;
};

/// One way to compute the sums of a site: all decided, nothing made yet.
class SamplingDesign {
public:
    virtual ~SamplingDesign() = default;
    explicit SamplingDesign(const SamplingSite& site) : site_(site) {}

    const SamplingSite& site() const { return site_; }

    /// Counted, not timed, plan included: by the same costs the same site leads to the same choice in every run.
    virtual double predicted_seconds(const Backend& backend, Index transform_count) const = 0;
    /// Of as many as the site has.
    double predicted_seconds(const Backend& backend) const { return predicted_seconds(backend, site_.transform_count); }
    /// What the sums will occupy. @param sample_count  of this rank  @param image_count  transformed in one call
    /// @param piece_bytes  as MemoryBudget::piece_bytes
    virtual PlanBytes bytes(const Backend& backend, Index sample_count, Index image_count,
                            std::size_t piece_bytes) const = 0;
    /// @param trajectory  of this rank: parts that share a design add up to what the whole gives
    virtual std::unique_ptr<FourierSums> make(Backend& backend, const Trajectory& trajectory) const = 0;
    /// All that the numbers depend on beside the site's grid, samples and precision, for the key of stored results.
    virtual std::string key() const { return {}; }

private:
    SamplingSite site_;
};

/// Registered in a file of its own (Registration): exact sums, NUFFT.
struct SamplingKind {
    std::string_view name;   ///< as asked for; a literal
    std::string_view title;  ///< for the log: "exact sums"
    /// @throws UsageError if it cannot be as accurate as that
    std::unique_ptr<const SamplingDesign> (*design)(const Backend& backend, const SamplingSite& site) = nullptr;
};

Registry<SamplingKind>& sampling_kinds();

}  // namespace recon
