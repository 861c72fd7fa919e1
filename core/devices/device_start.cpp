#include "core/devices/device_start.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <functional>

#include "core/base/threads/startable_threads.hpp"
#include "core/devices/device_choice.hpp"

namespace recon {
namespace {

std::shared_ptr<void> start_devices(const std::string& name) {
    const DeviceChoice choice = parse_devices(name);
    if (choice.kind) {
        return choice.kind->start ? choice.kind->start(choice.ordinals) : nullptr;
    }
    const std::vector<const BackendKind*> kinds = backend_kinds().all();
    const BackendKind* const preferred = *std::ranges::max_element(kinds, std::less(), &BackendKind::preference);
    return preferred->start ? preferred->start(std::array{0}) : nullptr;
}

}  // namespace

DeviceStart::DeviceStart(const std::string& name)
    : thread_(helper_thread([this, name](const std::stop_token&) {
          try {
              started_ = start_devices(name);
          } catch (const std::exception&) {  // make_team will meet it again
          }
      })) {}

}  // namespace recon
