#pragma once

#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"

namespace recon {

/// D over the squares of the factors g that are in the data and in E^H, of this rank's samples. D is the reciprocal of
/// the density of the weighted samples, as the circulant approximation of E^H E knows it, and about the centre of
/// k-space, where readouts meet and it knows too little, Pipe and Menon's; theirs everywhere if there is no Q.
/// @param of_data  smoothed eigenvalues of that approximation, at the points of circulant_grid
/// @param coil_gain  that of ScanStatistics
std::vector<float> sample_compensation(const FrameProblem& problem, const std::vector<float>& of_data,
                                       double coil_gain);

}  // namespace recon
