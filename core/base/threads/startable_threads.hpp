#pragma once

#include <functional>
#include <thread>

namespace recon {

/// How many threads can run at once, up to `wanted`, this one included: tried out, as limits of users, containers and
/// memory are told in no other way. At least 1. The OpenMP library ends the program where it is refused one.
int startable_threads(int wanted);

/// A thread for something that the work can do without; none where the system refuses it.
std::jthread helper_thread(std::function<void(std::stop_token)> work);

}  // namespace recon
