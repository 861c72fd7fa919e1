#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "data/simulation/phantoms/rounded_ellipsoid.hpp"

namespace recon {

/// A solid ellipsoid of constant intensity; intensities add where ellipsoids overlap. Lengths in fields of view, the
/// origin at the centre of the field of view.
struct Ellipsoid {
    PerAxis<double> centre;
    PerAxis<double> semi_axes;
    std::array<PerAxis<double>, 3> directions;  ///< orthonormal, one for each semi-axis
    double intensity;
};

/// An ellipsoid whose own axes are those of the image turned by `angle_degrees` about z.
Ellipsoid turned_ellipsoid(PerAxis<double> centre, PerAxis<double> semi_axes, double angle_degrees, double intensity);

/// The same ellipsoid, its lengths given in half fields of view.
Ellipsoid in_half_fields_of_view(Ellipsoid ellipsoid);

/// An object made of ellipsoids, in 1, 2 or 3 dimensions, whose Fourier transform is known everywhere.
///
/// Every ellipsoid may be convolved with one Gaussian, which rounds its edge: the transform gains the factor
/// exp(-2 pi^2 sum_d sigma_d^2 k_d^2). In fewer than three dimensions the object is the section of the solid
/// ellipsoids (ellipses, intervals), convolved with the Gaussian of the remaining axes.
class EllipsoidPhantom {
public:
    /// @param present     which axes the object has; the others are cut at `section`
    /// @param section     position of the cut, fields of view; read for absent axes alone
    /// @param edge_sigma  standard deviation of the Gaussian, fields of view; 0 for sharp edges along all axes
    /// @throws InputError if an ellipsoid has a semi-axis that is not positive, or no axis is present
    EllipsoidPhantom(std::span<const Ellipsoid> ellipsoids, PerAxis<bool> present, PerAxis<double> section,
                     PerAxis<double> edge_sigma);

    /// The object at a point: exact for sharp edges, to about 1e-5 of an ellipsoid's intensity for rounded ones.
    double value(const PerAxis<double>& position) const;

    /// Mean over a voxel centred at `position`, from `points_per_axis` regular points along each axis present.
    double voxel_mean(const PerAxis<double>& position, const PerAxis<double>& voxel, int points_per_axis) const;

    /// Parts of an ellipsoid that its Fourier transform needs, in the axes present.
    struct Section {
        int dimension;
        PerAxis<double> centre;         ///< fields of view; 0 along absent axes
        std::array<double, 6> squared;  ///< C in k^T C k = |A^T k|^2, where A maps the unit ball to the ellipsoid:
                                        ///< xx yy zz xy xz yz
        std::array<double, 6> level;    ///< inverse of C: the ellipsoid is level(r - centre) <= 1; same order
        double weight;                  ///< intensity times volume (area, length)
        double intensity;
    };
    std::span<const Section> sections() const { return sections_; }
    const PerAxis<double>& edge_sigma() const { return edge_sigma_; }

private:
    PerAxis<bool> present_;
    PerAxis<double> edge_sigma_;
    bool rounded_;
    std::vector<Section> sections_;
    std::vector<RoundedEllipsoid> rounded_sections_;  ///< the same, in units of edge_sigma; none for sharp edges
};

}  // namespace recon
