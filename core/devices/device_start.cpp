#include "core/devices/device_start.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <functional>

#include "core/base/startable_threads.hpp"
#include "core/devices/device_choice.hpp"

namespace recon {
namespace {

void start_devices(const std::string& name) {
    const DeviceChoice choice = parse_devices(name);
    if (choice.kind) {
        if (choice.kind->start) {
            choice.kind->start(choice.ordinals);
        }
        return;
    }
    const std::vector<const BackendKind*> kinds = backend_kinds().all();
    const BackendKind* const preferred = *std::ranges::max_element(kinds, std::less(), &BackendKind::preference);
    if (preferred->start) {
        preferred->start(std::array{0});
    }
}

}  // namespace

DeviceStart::DeviceStart(const std::string& name)
    : thread_(helper_thread([name](const std::stop_token&) {
          try {
              start_devices(name);
          } catch (const std::exception&) {  // make_team will meet it again
          }
      })) {}

}  // namespace recon
