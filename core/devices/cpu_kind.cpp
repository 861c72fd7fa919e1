#include "core/backend/cpu/cpu_backend.hpp"
#include "core/devices/backend_kind.hpp"

namespace recon {
namespace {

const Registration cpu_registered(backend_kinds(),
                                  BackendKind{.name = "cpu",
                                              .numbered = false,
                                              .preference = 0,
                                              .device_count = [] { return 1; },
                                              .make =
                                                  [](std::span<const int>, const BackendSettings& settings) {
                                                      return Team::of_one(make_cpu_backend(settings.thread_count));
                                                  }});

}  // namespace
}  // namespace recon
