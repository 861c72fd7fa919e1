#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Where the voxels of one grid lie among those of another: target index i -> source index offset + matrix i.
///
/// By position (orientation and voxel size) where both grids say where they lie. Two grids of known size and unknown
/// orientation are taken to share centre and axes. Else grids of equal matrix are taken to be the same.
class GridPlacement {
public:
    /// @param what  whose source it is, for messages: the file's name
    /// @throws InputError naming both grids if they differ and it is not known where one of them lies
    static GridPlacement of(const Geometry& source, const Geometry& target, const std::string& what);

    /// Index (fractional) in the source of a (fractional) index in the target.
    PerAxis<double> source_index(const PerAxis<double>& target_index) const;
    /// Source voxels that a step along a target axis crosses, along the source axis where it crosses most; axes of one
    /// source voxel are not crossed, however thin it is.
    double step(int target_axis) const;
    bool is_identity() const { return identity_; }  ///< to a thousandth of a voxel, and the matrix sizes agree
    const std::string& text() const { return text_; }

private:
    std::array<PerAxis<double>, 3> matrix_{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< rows
    PerAxis<double> offset_{0, 0, 0};
    PerAxis<Index> source_size_{1, 1, 1};
    bool identity_ = true;
    std::string text_;
};

template <class T>
struct Resampled {
    std::vector<T> voxels;        ///< [x y z] of the target; 0 where nothing is known
    std::vector<float> coverage;  ///< [x y z], 0 to 1: what part of each voxel's value came from voxels of weight 1
    double outside_fraction = 0;  ///< of the target's voxels that have no coverage
    std::string text;             ///< what was done, for the log
};

/// A volume on another grid, by trilinear interpolation; where target voxels are larger, by the mean of several points
/// in each (a box filter: no aliasing). Voxels reach half their size beyond the outermost centres. On equal grids the
/// values are copied as they are.
/// @param voxels  [x y z] of the source  @param weights  [x y z], 0 to 1: which of them count; empty: all do
/// @throws InputError as GridPlacement::of
template <class T>
Resampled<T> resample(std::span<const T> voxels, const Geometry& source, const Geometry& target,
                      const std::string& what, std::span<const float> weights = {});

/// A map on another matrix over the same field of view, as above.
std::vector<float> resample(std::span<const float> map, const PerAxis<Index>& matrix_size,
                            const PerAxis<Index>& target_size, const std::string& what);

/// "64 x 64 x 1 voxels of 3.4 x 3.4 x 5 mm, position unknown"
std::string grid_text(const Geometry& geometry);

}  // namespace recon
