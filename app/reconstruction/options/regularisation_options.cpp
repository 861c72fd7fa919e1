#include "app/reconstruction/options/regularisation_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/base/parse_number.hpp"

namespace recon {
namespace {

/// Takes the names that have no lambda out of the list.
ScanPrior take_scan_prior(std::vector<std::string>& names) {
    std::optional<ScanPrior> found;
    const std::size_t count = names.size();
    std::erase_if(names, [&](const std::string& name) {
        const std::optional<ScanPrior> one = scan_prior_of_name(name);
        if (!one) {
            return false;
        }
        if (found || (*one == ScanPrior::none && count > 1)) {
            throw UsageError(
                fmt::format("`prior` {}: expected one of scan, spectrum and none, and none by itself", name));
        }
        found = one;
        return true;
    });
    return found.value_or(ScanPrior::none);
}

/// Where the path of an automatic lambda begins for terms that are no squares.
constexpr double first_sparse_lambda = 1e-1;

double parse_lambda(const std::string& text) {
    constexpr double largest = 1e9;  // relative to the data: beyond it nothing is left of them
    const auto value = parse_number<double>(text);
    if (!value || !(*value >= 0) || !(*value <= largest)) {
        throw UsageError(fmt::format(
            "`lambda` {}: expected a number that is not negative, up to {:g}, such as 1e-3, or auto", text, largest));
    }
    return *value;
}

std::set<std::string> names_beyond_squares(const RegularisationOptions& options) {
    std::set<std::string> names;
    for (const PriorTermOptions& term : options.terms) {
        if (!term.kind().quadratic) {
            names.insert(term.prior);
        }
    }
    return names;
}

void require_combinable(const RegularisationOptions& options) {
    if (const PriorTermOptions* coupling = options.coupling_term(); options.scan != ScanPrior::none && coupling) {
        throw UsageError(fmt::format("`prior` {}: solves for the frames of a series at once; not with scan or spectrum",
                                     coupling->prior));
    }
}

void require_choosable(const RegularisationOptions& options) {
    for (const PriorTermOptions& term : options.terms) {
        if (term.origin != LambdaOrigin::automatic) {
            continue;
        }
        if (const PriorTermOptions* coupling = options.coupling_term()) {
            throw UsageError(fmt::format(
                "`lambda` auto: not with `prior` {}, whose frames are solved at once; give numbers", coupling->prior));
        }
        if (term.kind().quadratic && !options.is_quadratic()) {
            throw UsageError(fmt::format("`lambda` auto: beside {}, only their own lambda can be auto; give a number",
                                         fmt::join(names_beyond_squares(options), " and ")));
        }
    }
}

/// @param names  those of the priors that take a lambda
std::string lambdas_do_not_fit(const std::vector<std::string>& priors, const std::vector<std::string>& names,
                               const std::vector<std::string>& lambdas) {
    const std::string given = fmt::format("{}", fmt::join(lambdas, ","));
    if (lambdas.empty()) {
        return fmt::format("`prior` {}: `lambda` is missing, a weight for {}{}, such as 1e-2, or auto",
                           fmt::join(priors, ","), names.size() > 1 ? "each of " : "", fmt::join(names, ", "));
    }
    if (names.empty()) {
        return fmt::format(
            "`lambda` {}: `prior` {} takes none; leave it out, or name a prior that it weighs, such as "
            "identity",
            given, fmt::join(priors, ","));
    }
    return fmt::format("`lambda` {}: found {}, expected {}, for {}{}", given,
                       counted(static_cast<Index>(lambdas.size()), "number"), names.size(), fmt::join(names, ", "),
                       priors.empty() ? ", the prior where `prior` is not given" : "");
}

}  // namespace

bool RegularisationOptions::is_quadratic() const {
    return std::all_of(terms.begin(), terms.end(), [](const PriorTermOptions& term) { return term.kind().quadratic; });
}

bool RegularisationOptions::needs_reference() const {
    return std::any_of(terms.begin(), terms.end(),
                       [](const PriorTermOptions& term) { return term.kind().needs_reference; });
}

const PriorTermOptions* RegularisationOptions::coupling_term() const {
    const auto found = std::find_if(terms.begin(), terms.end(),
                                    [](const PriorTermOptions& term) { return term.kind().couples_frames; });
    return found == terms.end() ? nullptr : &*found;
}

bool RegularisationOptions::chooses_lambda() const {
    return std::any_of(terms.begin(), terms.end(),
                       [](const PriorTermOptions& term) { return term.origin == LambdaOrigin::automatic; });
}

std::optional<ScanPrior> scan_prior_of_name(const std::string& name) {
    static const std::map<std::string, ScanPrior> known = {
        {"scan", ScanPrior::scan}, {"spectrum", ScanPrior::spectrum}, {"none", ScanPrior::none}};
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::string image_title(const RegularisationOptions& options) {
    const std::set<std::string> names = names_beyond_squares(options);
    if (names.empty() && options.scan != ScanPrior::none) {
        return options.scan == ScanPrior::scan ? "scan prior" : "spectrum prior";
    }
    return names.empty() ? "least squares" : fmt::format("{}", fmt::join(names, " + "));
}

RegularisationOptions parse_regularisation(const std::vector<std::string>& priors,
                                           const std::vector<std::string>& lambdas) {
    RegularisationOptions options;
    std::vector<std::string> names = priors;
    options.scan = take_scan_prior(names);
    if (priors.empty() && !lambdas.empty()) {
        names = {"identity"};
    }
    for (const std::string& name : names) {  // an unknown one before their number
        std::vector<std::string> known = prior_kinds().names();
        if (std::ranges::find(known, name) == known.end()) {
            known.insert(known.end(), {"none", "scan", "spectrum"});
            throw UsageError(unknown_name_text("prior", name, known));
        }
    }
    if (names.size() != lambdas.size()) {
        throw UsageError(lambdas_do_not_fit(priors, names, lambdas));
    }
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
        if (lambdas[i] == "auto") {
            if (options.chooses_lambda()) {
                throw UsageError(fmt::format("`lambda` {}: auto twice; expected a number for all priors but one",
                                             fmt::join(lambdas, ",")));
            }
            const bool quadratic = prior_kinds().get(names[i]).quadratic;
            options.terms.push_back({names[i], quadratic ? 0 : first_sparse_lambda, LambdaOrigin::automatic});
            continue;
        }
        if (const double lambda = parse_lambda(lambdas[i]); lambda > 0) {
            options.terms.push_back({names[i], lambda});
        }
    }
    require_combinable(options);
    require_choosable(options);
    return options;
}

}  // namespace recon
