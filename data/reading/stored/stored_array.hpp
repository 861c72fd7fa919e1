#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/types.hpp"
#include "data/reading/stored/trajectory_unit.hpp"

namespace recon {

/// Which of a file's arrays is meant.
struct ArrayName {
    std::string asked;               ///< empty: a usual one
    std::vector<std::string> usual;  ///< names to look for, the best first; if there is none, the only array
};

/// Of positions that are told in the order in which a sequence measures, whatever the frames.
struct MeasuredOrder {
    std::vector<Index> frame_of_sample;  ///< counted in the order of labels; empty: the sequence does not say
};

/// Numbers as a file holds them, real or complex.
struct StoredArray {
    std::string where;           ///< for messages: "scan.npz, array trajectory"
    std::vector<Index> extents;  ///< in C order: the last one varies fastest
    std::variant<std::vector<double>, std::vector<cfloat>> values;
    std::vector<std::string> axes{};          ///< their names, if the format has any: "COIL"
    std::optional<TrajectoryUnit> unit{};     ///< if the format has one for all trajectories, or the file says so
    std::string unit_stated_by{};             ///< for people
    PerAxis<double> field_of_view_mm{};       ///< of a trajectory whose format says so; 0 where unknown
    std::optional<MeasuredOrder> sequence{};  ///< of a trajectory: that of a sequence

    Index element_count() const;
    /// "[64, 128, 3]"; of axes with names "[COIL 8, PHS1 64, READ 64]", without those of extent 1.
    std::string extents_text() const;
    /// Leading axes with one element, but for the last axis, are none.
    void drop_leading_ones();
    /// The values as complex numbers, which are moved out if they are.
    std::vector<cfloat> take_complex();
    /// The real values. @throws InputError if imaginary parts are not zero
    std::vector<double> take_real();
};

/// The array that `name` means among those of a file: "/trajectory" is as good as "trajectory".
/// @param where  the file. @throws InputError that lists them
std::string choose_array(const std::vector<std::string>& names, const ArrayName& name, const std::string& where);

}  // namespace recon
