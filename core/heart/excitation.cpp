#include "core/heart/excitation.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace recon {

Registry<ExcitationKind>& excitation_kinds() {
    static Registry<ExcitationKind> kinds("device for the excitation of the heart");
    return kinds;
}

std::unique_ptr<Excitation> make_excitation(std::span<Backend* const> devices, const ExcitationSetup& setup) {
    setup.model.require_valid(setup.size, setup.time_step);
    if (setup.tissue) {
        const auto count = static_cast<std::size_t>(setup.size * setup.size);
        if (setup.tissue->conductivity.size() != count || setup.tissue->threshold.size() != count) {
            throw ShapeError(fmt::format("tissue of {} and {} cells for a sheet of {}",
                                         setup.tissue->conductivity.size(), setup.tissue->threshold.size(), count));
        }
    }
    const std::string name = devices.front()->name();
    return excitation_kinds().get(name.substr(0, name.find(':'))).make(devices, setup);
}

}  // namespace recon
