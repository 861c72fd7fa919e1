#include "app/reconstruction/options/regularisation_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/base/error.hpp"

namespace recon {
namespace {

const std::map<std::string, PriorKind> kind_of_name = {
    {"identity", PriorKind::identity},  {"roughness", PriorKind::roughness}, {"anatomical", PriorKind::anatomical},
    {"tv", PriorKind::total_variation}, {"wavelet", PriorKind::wavelet},     {"llr", PriorKind::local_low_rank}};

PriorKind parse_kind(const std::string& name) {
    const auto found = kind_of_name.find(name);
    if (found == kind_of_name.end()) {
        std::vector<std::string> names;
        for (const auto& [known, kind] : kind_of_name) {
            names.push_back(known);
        }
        throw UsageError(fmt::format("--prior {}: unknown; expected {}", name, fmt::join(names, ", ")));
    }
    return found->second;
}

/// Where the path of an automatic lambda begins for terms that are no squares.
constexpr double first_sparse_lambda = 1e-1;

double parse_lambda(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || !std::isfinite(value)) {
        throw UsageError(
            fmt::format("--lambda {}: expected a number that is not negative, such as 1e-3, or auto", text));
    }
    return value;
}

void require_choosable(const RegularisationOptions& options) {
    for (const PriorTermOptions& term : options.terms) {
        if (term.origin != LambdaOrigin::automatic) {
            continue;
        }
        if (options.has(PriorKind::local_low_rank)) {
            throw UsageError("--lambda auto: not with --prior llr, whose frames are solved at once; give numbers");
        }
        if (is_quadratic(term.kind) && !options.is_quadratic()) {
            throw UsageError("--lambda auto: beside tv or wavelet, only their own lambda can be auto; give a number");
        }
    }
}

}  // namespace

bool is_quadratic(PriorKind kind) {
    return kind != PriorKind::total_variation && kind != PriorKind::wavelet && kind != PriorKind::local_low_rank;
}

bool RegularisationOptions::is_quadratic() const {
    return std::all_of(terms.begin(), terms.end(),
                       [](const PriorTermOptions& term) { return recon::is_quadratic(term.kind); });
}

bool RegularisationOptions::has(PriorKind kind) const {
    return std::any_of(terms.begin(), terms.end(), [kind](const PriorTermOptions& term) { return term.kind == kind; });
}

bool RegularisationOptions::chooses_lambda() const {
    return std::any_of(terms.begin(), terms.end(),
                       [](const PriorTermOptions& term) { return term.origin == LambdaOrigin::automatic; });
}

std::string image_title(const RegularisationOptions& options) {
    std::vector<std::string> names;
    for (const auto& [name, kind] : kind_of_name) {
        if (!is_quadratic(kind) && options.has(kind)) {
            names.push_back(name);
        }
    }
    return names.empty() ? "least squares" : fmt::format("{}", fmt::join(names, " + "));
}

RegularisationOptions parse_regularisation(const std::vector<std::string>& priors,
                                           const std::vector<std::string>& lambdas) {
    const std::vector<std::string> names = priors.empty() ? std::vector<std::string>{"identity"} : priors;
    if (!priors.empty() || !lambdas.empty()) {
        if (names.size() != lambdas.size()) {
            throw UsageError(fmt::format("--prior {} --lambda {}: {} priors and {} lambdas; expected one for each",
                                         fmt::join(names, ","), fmt::join(lambdas, ","), names.size(), lambdas.size()));
        }
    }
    RegularisationOptions options;
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
        if (lambdas[i] == "auto") {
            if (options.chooses_lambda()) {
                throw UsageError(fmt::format("--lambda {}: auto twice; expected a number for all priors but one",
                                             fmt::join(lambdas, ",")));
            }
            const PriorKind kind = parse_kind(names[i]);
            options.terms.push_back({kind, is_quadratic(kind) ? 0 : first_sparse_lambda, LambdaOrigin::automatic});
            continue;
        }
        const PriorTermOptions term{parse_kind(names[i]), parse_lambda(lambdas[i])};
        if (term.lambda > 0) {
            options.terms.push_back(term);
        }
    }
    require_choosable(options);
    return options;
}

}  // namespace recon
