#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "app/reconstruction/scan_prior/evidence/noise_draws.hpp"
#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"

namespace recon {

/// What a frame's prior and noise are read off before there is an image. It is made in two steps, of which the second
/// is work for nothing where there is an obstacle.
struct ScanEvidence {
    /// Of k-space alone.  @param frame_problem, prior_terms  outlive this
    ScanEvidence(const FrameProblem& frame_problem, PriorTerms& prior_terms);
    ScanEvidence(const ScanEvidence&) = delete;
    ScanEvidence& operator=(const ScanEvidence&) = delete;

    /// Why it tells neither noise nor spectrum; empty if it does.
    std::string obstacle() const;
    /// All else; the support of the priors becomes what coils see of it.
    void prepare();

    double voxel_count() const { return static_cast<double>(problem.image_shape().element_count()); }

    double mean_of_data() const;  ///< of the eigenvalues
    /// For levels_of.
    const Array* sensitivity_or_null() const { return sensitivity ? &*sensitivity : nullptr; }

    const FrameProblem& problem;
    PriorTerms& priors;                ///< other ones, part of every problem here
    Index axis_count = 0;              ///< of more than one voxel
    double voxel_mm = 0;               ///< geometric mean over these; 0 where unknown
    MemoryClaim on_host;               ///< of the lists here, of those that solutions take and of what is shown
    std::optional<Array> map_energy;   ///< `coil_energy`, until all is read off it
    std::optional<Array> sensitivity;  ///< as uneven_sensitivity; none where coils see all voxels alike
    ScanStatistics statistics;

    /// At the points of circulant_grid: eigenvalues c of the circulant approximation of E^H E.
    std::vector<float> of_data;
    std::vector<float> smooth_of_data;     ///< means of neighbouring frequencies
    std::vector<float> compensation;       ///< `sample_compensation`
    std::optional<Array> preconditioning;  ///< these where the problem is computed, all positive, for preconditioners
    /// Of the octant of even_grid: |A k|, cycles per mm; the shell.
    std::vector<double> k_per_mm;
    std::vector<std::uint32_t> shell_of_grid;
    std::optional<NoiseDraws> draws;
    double solved_count = 0;  ///< voxels in the support
};

}  // namespace recon
