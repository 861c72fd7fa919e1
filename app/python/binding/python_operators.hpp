#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/python/binding/foreign_arrays.hpp"
#include "core/operators/encoding.hpp"

namespace recon {

/// Positions [sample, dimension] in cycles per field of view, in C order on the host.
using GivenTrajectory = nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using GivenWeights = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// What an operator is made for.
struct OperatorSite {
    std::string device;
    int thread_count;
    Extents image_extents;   ///< [y, x] or [z, y, x]
    Extents sample_extents;  ///< [sample] or [readout, sample]
    double tolerance;
    Precision precision;
};

/// F: image -> samples, of any number of images in one call.
class PythonNufft {
public:
    PythonNufft(const GivenTrajectory& trajectory, const OperatorSite& site);

    nanobind::object forward(const GivenArray& image, const std::optional<ResultArray>& out) const;
    nanobind::object adjoint(const GivenArray& samples, const std::optional<ResultArray>& out) const;

    std::string device() const { return shared_->backend->name(); }

private:
    /// The axes before those of an image or of samples. @throws UsageError if there are fewer axes
    static Extents batch_of(const GivenArray& given, const Extents& extents, const std::string& what);

    std::shared_ptr<SharedBackend> shared_;
    OperatorSite site_;
    std::unique_ptr<const FourierSums> sums_;
};

/// How the solution came about.
struct PythonSolution {
    nanobind::object image;
    int iterations;
    double residual;
    std::string stopped_by;
    std::vector<double> residuals;
};

/// E: image -> k-space of all coils, with its normal product in Toeplitz form.
class PythonEncoding {
public:
    PythonEncoding(const GivenTrajectory& trajectory, const std::optional<GivenArray>& coil_maps,
                   const std::optional<GivenWeights>& weights, bool toeplitz, const OperatorSite& site);

    nanobind::object forward(const GivenArray& image, const std::optional<ResultArray>& out) const;
    nanobind::object adjoint(const GivenArray& kspace, const std::optional<ResultArray>& out) const;
    /// Of k-space times sqrt(weights): the right-hand side of the weighted problem.
    nanobind::object weighted_adjoint(const GivenArray& kspace) const;
    nanobind::object normal(const GivenArray& image, const std::optional<ResultArray>& out) const;
    /// (E^H E + lambda Q(0)) rho = right_hand_side, by conjugate gradients from 0.
    PythonSolution solve_normal(const GivenArray& right_hand_side, double lambda, int iterations, double stop) const;

    std::string device() const { return shared_->backend->name(); }
    /// On the host; None where there are none.
    nanobind::object coil_maps() const;

private:
    /// @param what  "forward: the image"
    Wanted image(const char* what) const {
        return {std::string("Encoding.") + what, site_.image_extents, site_.precision};
    }
    Wanted kspace(const char* what) const {
        return {std::string("Encoding.") + what, kspace_extents_, site_.precision};
    }

    std::shared_ptr<SharedBackend> shared_;
    OperatorSite site_;
    Extents kspace_extents_;
    double q_of_zero_ = 0;  ///< sum of the weights
    std::unique_ptr<const Encoding> encoding_;
    std::unique_ptr<const Encoding> weighted_;  ///< with the weights themselves; null: there are none
};

}  // namespace recon
