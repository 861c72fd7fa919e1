#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/studies/stone2008/stone_study.hpp"

namespace recon::stone {

/// The papers whose figures stand beside ours, for people. Times and image come from two of them.
constexpr const char* times_paper = "Stone et al., GPGPU workshop 2007: 64^3 voxels, 3.2e6 samples, GeForce 8800 GTX";
constexpr const char* image_paper =
    "Stone et al., Computing Frontiers 2008 and J. Parallel Distrib. Comput. 2008: 128^3 voxels, Quadro FX 5600, high "
    "noise, anatomical constraints W";

/// Minutes of [Stone 2007]; 0 where it has none.
struct PublishedTimes {
    const char* id;  ///< of the row that it stands beside
    const char* title;
    double q_min;
    double fhd_min;
    double solver_min;
    double q_gflops;
    double fhd_gflops;
    /// As the paper counts it, without Q.
    double reconstruction_min() const { return fhd_min + solver_min; }
};

/// The figures that stand beside a row; null if there are none.
const PublishedTimes* published_for(const std::string& id);

/// Error and PSNR of [Stone 2008].
struct PublishedImage {
    const char* id;
    double error_percent;
    double psnr_db;
};
const PublishedImage* published_image_for(const std::string& id);

/// One of the four headlines, and the same quotient here.
struct Ratio {
    const char* id;
    const char* title;
    double published;
    std::optional<double> same_step;  ///< with the tuned kernel, as there
    std::optional<double> program;    ///< with `recon` as it is
};

/// 357, 228, 108 and 8; quotients of rows that did not run are absent.
std::vector<Ratio> headline_ratios(const Report& report);

}  // namespace recon::stone
