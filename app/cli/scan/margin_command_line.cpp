#include "app/cli/scan/margin_command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/shell/number_range.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr const char* as_needed = "auto";
constexpr double widest_margin = 4096;

}  // namespace

void add_margin_option(CLI::App& app, std::vector<std::string>& words) {
    app.add_option("--margin", words,
                   "Voxels beyond each border of the field of view that are computed with it, along x y z, and not "
                   "written: what the object has there is in the data; one number for all axes, 0 for none, or auto "
                   "(where the object goes on beyond it; not with --prior none)")
        ->check(number_or(whole_number(0, widest_margin), {as_needed}))
        ->expected(1, 3)
        ->delimiter('x')
        ->default_str(as_needed)
        ->group("What is in the scan");
}

MarginOptions read_margin(const std::vector<std::string>& words, const ReconstructOptions& options,
                          bool has_body_coil_image) {
    const bool has_numbers = !words.empty() && words != std::vector<std::string>{as_needed};
    if (has_numbers && std::ranges::find(words, as_needed) != words.end()) {
        throw UsageError(fmt::format("`margin` {}: expected auto alone, or numbers", fmt::join(words, " ")));
    }
    if (has_numbers) {
        Margin margin{};
        for (std::size_t axis = 0; axis < margin.size(); ++axis) {
            margin[axis] = axis < words.size() ? std::stoll(words[axis]) : words.size() == 1 ? margin[0] : 0;
        }
        return {.given = margin, .automatic = false};
    }
    const RegularisationOptions& regularisation = options.regularisation;
    const bool has_images = regularisation.images->reference || regularisation.images->mask || has_body_coil_image;
    return {.given = {}, .automatic = !regularisation.is_plain_least_squares() && !has_images};
}

}  // namespace recon
