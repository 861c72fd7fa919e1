#include <fmt/format.h>

#include "core/operators/sampling/nufft.hpp"
#include "core/operators/sampling/sampling_kind.hpp"

namespace recon {
namespace {

class NufftOfSite final : public SamplingDesign {
public:
    NufftOfSite(const Backend& backend, const SamplingSite& site)
        : SamplingDesign(site),
          design_(NufftDesign::best(site.grid, site.sample_count, site.tolerance, site.precision,
                                    backend.nufft_design_costs())) {}

    double predicted_seconds(const Backend& backend, Index transform_count) const override {
        return backend.predicted_nufft_seconds(design_, site().sample_count, transform_count, site().precision);
    }
    PlanBytes bytes(const Backend& backend, Index sample_count, Index image_count,
                    std::size_t piece_bytes) const override {
        return Nufft::bytes(backend, site().grid, design_, sample_count, image_count, site().precision, piece_bytes);
    }
    std::unique_ptr<FourierSums> make(Backend& backend, const Trajectory& trajectory) const override {
        return std::make_unique<Nufft>(backend, trajectory, site().grid, design_, site().precision);
    }
    std::string key() const override {
        return fmt::format("{}, {}, beta {}, tolerance {}", design_.text(), design_.kernel.width, design_.kernel.beta,
                           site().tolerance);
    }

private:
    NufftDesign design_;
};

const Registration registered_nufft(sampling_kinds(),
                                    SamplingKind{SumsMethod::nufft.name(), "NUFFT",
                                                 [](const Backend& backend,
                                                    const SamplingSite& site) -> std::unique_ptr<const SamplingDesign> {
                                                     return std::make_unique<NufftOfSite>(backend, site);
                                                 }});

}  // namespace
}  // namespace recon
