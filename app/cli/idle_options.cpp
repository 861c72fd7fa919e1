#include "app/cli/idle_options.hpp"

#include "core/base/log.hpp"

namespace recon {
namespace {

void warn_if(bool is_idle, const char* option, const char* why) {
    if (is_idle) {
        log_warning("{} has no say here: {}", option, why);
    }
}

}  // namespace

void warn_of_idle_options(const ReconstructCommandLine& line) {
    const ReconstructOptions& options = line.reconstruct;
    const RegularisationOptions& regularisation = options.regularisation;
    const bool is_default = regularisation.tells_its_error(), is_quadratic = regularisation.is_quadratic();
    const char* const has_its_own = "the prior of the scan starts and preconditions its solutions by itself";
    warn_if(options.preconditioner != PreconditionerKind::none && is_default, "--preconditioner", has_its_own);
    warn_if(options.preconditioner != PreconditionerKind::none && !is_quadratic, "--preconditioner",
            "it is for priors that are quadratic");
    warn_if(options.start != StartImage::zero && is_default, "--start", has_its_own);
    warn_if(options.weighting == SampleWeighting::density && regularisation.scan != ScanPrior::none,
            "--weights density",
            "the prior of the scan knows the noise, and counts samples alike; --prior none fits with weights");
    warn_if(regularisation.lambda.method != LambdaMethod::image && !regularisation.chooses_lambda(), "--lambda-method",
            "no --lambda is auto");
    if (line.off_resonance.field_map == OffResonanceSources::none) {
        const char* const no_map = "--field-map none leaves no map to use";
        warn_if(options.off_resonance.outside != FieldMapOutside::automatic, "--field-map-outside", no_map);
        warn_if(options.off_resonance.smoothing != FieldMapSmoothingUse::automatic, "--field-map-smoothing", no_map);
        warn_if(options.off_resonance.check == FieldMapCheck::no, "--no-field-map-check", no_map);
    }
}

}  // namespace recon
