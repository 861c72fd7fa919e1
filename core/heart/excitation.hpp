#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/base/registry.hpp"
#include "core/heart/excitation_model.hpp"
#include "core/heart/excitation_state.hpp"

namespace recon {

/// Tissue that differs from cell to cell, as a scar does. [column row], columns fastest.
struct ExcitationTissue {
    std::vector<double> conductivity;  ///< of the cell over that of the model, 0 to 1; between two cells their mean
    std::vector<double> threshold;     ///< a of the cell
};

/// What is to be stepped forward.
struct ExcitationSetup {
    ExcitationModel model;
    Index size = 0;
    double time_step = 0;  ///< dt
    Precision precision = Precision::double_;
    std::optional<ExcitationTissue> tissue;  ///< absent: the same everywhere
};

/// A sheet of excitable cells on a device, stepped forward by explicit Euler steps. One step, in this order:
///
///     e  = E + alpha (E_west + E_east + E_north + E_south - 4 E)
///     E <- e - dt (k e (e - a) (e - 1) + e R)
///     R <- R + dt (epsilon + M1 R / (E + M2)) (-R - k E (E - b - 1))      with the new E
class Excitation {
public:
    virtual ~Excitation() = default;

    /// Makes `steps` steps; may return before they are done.
    virtual void advance(Index steps) = 0;
    /// Waits until all steps asked for are done.
    virtual void synchronize() = 0;
    /// Waits, and copies. Numbers are those of the device's precision.
    virtual ExcitationState state() = 0;
    /// @throws ShapeError if the state is of another size
    virtual void set_state(const ExcitationState& state) = 0;
};

/// Operations a cell and step, as the document counts them whatever a program really does.
constexpr double excitation_operations_a_cell = 28;
/// E read and written, R read and written, in double precision: the traffic of one pass over memory a step.
constexpr double excitation_bytes_a_cell = 32;

/// How backends of a kind step a sheet forward; registers itself under the name of the kind ("cpu", "cuda").
struct ExcitationKind {
    std::string_view name;
    /// @param devices  one or more backends of that kind
    /// @throws UsageError if they cannot, as make_excitation
    std::unique_ptr<Excitation> (*make)(std::span<Backend* const> devices, const ExcitationSetup& setup) = nullptr;
};

Registry<ExcitationKind>& excitation_kinds();

/// A sheet in its spiral start on these devices, which are all of one kind.
/// @throws UsageError for a setup that cannot be, or that the devices cannot do; DeviceError if memory does not suffice
std::unique_ptr<Excitation> make_excitation(std::span<Backend* const> devices, const ExcitationSetup& setup);

}  // namespace recon
