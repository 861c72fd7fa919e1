#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reconstruction/priors/prior_kind.hpp"
#include "solver/lambda/lambda_criteria.hpp"

namespace recon {

enum class LambdaOrigin { given, automatic };

/// One term of the problem beside the data.
struct PriorTermOptions {
    std::string prior = "identity";  ///< name of its kind
    double lambda = 0;               ///< scale-free: the system is F^H F + lambda Q(0) W^H W
    LambdaOrigin origin = LambdaOrigin::given;

    /// @throws UsageError if there is none of that name
    const PriorKind& kind() const { return prior_kinds().get(prior); }
};

/// How a lambda that is not given is chosen.
struct LambdaOptions {
    LambdaMethod method = LambdaMethod::image;
    std::optional<double> noise_sigma;  ///< sqrt(E|n|^2) of one sample of one coil; none: from the scan
};

/// What of the prior is read off the scan itself (app/reconstruction/scan_prior/scan_prior.hpp).
enum class ScanPrior {
    none,
    spectrum,  ///< the power spectrum of its image, and its noise
    scan,      ///< these, and where its edges are
};

/// "scan", "spectrum" or "none"; nothing for any other name.
std::optional<ScanPrior> scan_prior_of_name(const std::string& name);

struct RegularisationOptions {
    ScanPrior scan = ScanPrior::none;                                             ///< beside the terms
    std::vector<PriorTermOptions> terms;                                          ///< none: plain least squares
    std::shared_ptr<const PriorImages> images = std::make_shared<PriorImages>();  ///< reference and mask
    double edge_scale = 3;  ///< s of the anatomical weights, in units of the noise of the reference's differences
    bool report = true;     ///< whether the reference is judged: where it lies, and how far it shows through
    LambdaOptions lambda;
    Index g_factor_draws = 0;       ///< of noise behind a map of the g-factor; 0: no map
    Index noise_sd_draws = 0;       ///< of noise behind a map of what it moves the image by; 0: no map
    Index uncertainty_samples = 1;  ///< of the error with a prior of the scan; 0: no map of the standard deviation

    bool is_plain_least_squares() const { return scan == ScanPrior::none && terms.empty(); }
    bool is_quadratic() const;     ///< whether all terms are
    bool needs_reference() const;  ///< whether a term does
    /// The term that couples the frames of a slice; null: none does.
    const PriorTermOptions* coupling_term() const;
    bool chooses_lambda() const;  ///< whether one of the lambdas, no more, is automatic
    /// Whether the image is the one that the prior of the scan tells the error of: nothing else is solved after it.
    bool tells_its_error() const { return scan != ScanPrior::none && is_quadratic() && !chooses_lambda(); }
};

/// How an image with these terms is called: "least squares", or the names of the terms that are no squares.
std::string image_title(const RegularisationOptions& options);

/// The terms of `--prior NAME,...` and `--lambda X,...`. A lambda without a name is that of the identity; terms whose
/// lambda is 0 are left out; `auto` leaves one lambda to the program. `scan`, `spectrum` and `none` take no lambda, and
/// `none` stands alone.
/// @throws UsageError for an unknown name, a lambda that is no number or negative, lists of different length, or two
/// lambdas that are `auto`
RegularisationOptions parse_regularisation(const std::vector<std::string>& priors,
                                           const std::vector<std::string>& lambdas);

}  // namespace recon
