#include "core/heart/cpu_excitation.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] std::unique_ptr<Excitation> make_cpu_excitation(const ExcitationSetup& setup, int thread_count);
}
namespace cpu_v4 {
[[gnu::weak]] std::unique_ptr<Excitation> make_cpu_excitation(const ExcitationSetup& setup, int thread_count);
}

std::unique_ptr<Excitation> make_cpu_excitation(const ExcitationSetup& setup, int thread_count) {
    return at_cpu_level(&cpu_base::make_cpu_excitation, &cpu_v3::make_cpu_excitation, &cpu_v4::make_cpu_excitation)(
        setup, thread_count);
}

namespace {

const Registration cpu_excitation_registered(excitation_kinds(),
                                             ExcitationKind{
                                                 .name = "cpu",
                                                 .make = [](std::span<Backend* const>, const ExcitationSetup& setup) {
                                                     return make_cpu_excitation(setup);
                                                 }});

}  // namespace

}  // namespace recon
