#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/reconstruction/check/fits/weighted_plan.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/gauss_newton_step.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// The density weighted least squares image of a probe, what it leaves, and how that changes with the positions of the
/// samples: for Gauss and Newton, the image eliminated. With J the change of E rho with values of which positions
/// depend, of which another image does not explain its part,
///
///     values += (Re J^H J)^-1 Re J^H (d - E rho).
class SharpFit {
public:
    /// @param probe  `sharper`; kept by the caller
    SharpFit(const Scan& probe, Backend& backend);

    bool is_empty() const { return plan_.is_empty() || !(energy() > 0); }  ///< no data, or of zeros
    double energy() const;                                                 ///< sum w |d|^2
    double residual() const;                                               ///< |d - E rho| / |d|, weighted
    const std::vector<double>& weights() const { return plan_.band().weights(); }

    /// @param changes  of the positions of all samples of the probe with each value
    /// @return nothing where the data do not tell the values
    std::optional<GaussNewtonStep> step(const std::vector<Trajectory>& changes) const;

    /// The same fit again, of data of the image and new noise, in each coil as much as was left: what a step finds
    /// there that is not in the data is the error of the method, as weights and few iterations make it.
    void repeat_on_itself();

private:
    void fit(Array data);
    Array image_of(const Array& data) const;
    Array remainder(const Array& data, const Array& image) const;
    std::vector<cfloat> times_position(int axis) const;
    std::vector<cfloat> unexplained_change(const Trajectory& change,
                                           const PerAxis<std::vector<cfloat>>& products) const;

    Backend& backend_;
    const Scan& probe_;
    WeightedPlan plan_;
    std::unique_ptr<const Encoding> encoding_;
    std::optional<Array> kspace_, image_;
    std::vector<cfloat> rest_;
};

}  // namespace recon
