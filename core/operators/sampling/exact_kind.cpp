#include "core/operators/sampling/sampling_kind.hpp"

namespace recon {
namespace {

class ExactDesign final : public SamplingDesign {
public:
    using SamplingDesign::SamplingDesign;

    double predicted_seconds(const Backend& backend, Index transform_count) const override {
        return backend.predicted_exact_seconds(site().grid, site().sample_count, transform_count, site().precision);
    }
    PlanBytes bytes(const Backend& backend, Index sample_count, Index image_count,
                    std::size_t piece_bytes) const override {
        return backend.plan_sizes().exact_sums(site().grid, sample_count, image_count, site().precision, piece_bytes);
    }
    std::unique_ptr<FourierSums> make(Backend& backend, const Trajectory& trajectory) const override {
        return backend.make_exact_sums(trajectory, site().grid, site().precision);
    }
};

const Registration registered_exact_sums(sampling_kinds(), SamplingKind{SumsMethod::exact.name(), "exact sums",
                                                                        [](const Backend&, const SamplingSite& site)
                                                                            -> std::unique_ptr<const SamplingDesign> {
                                                                            return std::make_unique<ExactDesign>(site);
                                                                        }});

}  // namespace
}  // namespace recon
