#include "data/reading/scan/likely_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/base/log.hpp"
#include "core/base/registry.hpp"

namespace recon {
namespace {

using Texts = std::vector<std::string>;

/// Letter case and what stands between words make no other name.
std::string plain(const std::string& name) {
    std::string letters;
    for (const char letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        }
    }
    return letters;
}

/// What the same array is called elsewhere, in plain letters.
struct OtherNames {
    const char* name;
    Texts others;
};
const std::vector<OtherNames> names_elsewhere{
    {"coil_maps",
     {"csm", "csms", "maps", "map", "mps", "sens", "sensmaps", "smap", "smaps", "sensitivity", "sensitivities",
      "sensitivitymap", "sensitivitymaps", "coilsensitivities", "coilsens"}},
    {"off_resonance_hz",
     {"b0", "b0hz", "b0map", "b0maphz", "fieldmap", "fieldmaphz", "df", "deltaf", "deltab0", "offresonance"}},
    {"density_weights", {"dcf", "dcw", "weights", "w", "density", "densitycompensation"}},
    {"sample_times_s", {"t", "time", "times", "sampletimes", "readouttimes"}},
    {"noise", {"noisescan", "noisedata", "noisesamples"}},
    {"kspace", {"ksp", "data", "rawdata", "signal"}},
    {"trajectory", {"k", "traj", "coord", "coords", "coordinates", "ktraj"}},
    {"matrix_size", {"matrix", "imagesize", "imagematrix"}},
    {"field_of_view_mm", {"fov", "fovmm", "fieldofview"}}};

/// The one of the missing names that was likely meant; empty if none is near.
std::string meant_by(const std::string& name, const Texts& missing) {
    for (const std::string& candidate : missing) {
        if (plain(candidate) == plain(name)) {
            return candidate;
        }
    }
    for (const auto& [known, others] : names_elsewhere) {
        const bool is_another = std::ranges::find(others, plain(name)) != others.end();
        if (is_another && std::ranges::find(missing, known) != missing.end()) {
            return known;
        }
    }
    return likely_name(name, missing);
}

}  // namespace

void log_unread_names(const std::string& path, const std::vector<UnreadName>& unknown, const Texts& missing) {
    Texts unread;
    for (const auto& [kind, name] : unknown) {
        if (const std::string meant = meant_by(name, missing); !meant.empty()) {
            log_warning("{}: {} {} is not known to the layout, and not read; did you mean {}?", path, kind, name,
                        meant);
        } else {
            unread.push_back(name);
        }
    }
    if (!unread.empty()) {
        log_info("{}: not part of the layout, and not read: {}", path, fmt::join(unread, ", "));
    }
}

Texts names_without(const Texts& names, const Texts& others) {
    Texts left;
    std::ranges::copy_if(names, std::back_inserter(left),
                         [&](const std::string& name) { return std::ranges::find(others, name) == others.end(); });
    return left;
}

}  // namespace recon
