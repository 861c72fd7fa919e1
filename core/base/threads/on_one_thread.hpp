#pragma once

namespace recon {

/// Runs a piece of dense linear algebra such that its library does not divide it between threads: the order of its
/// additions, and so its bytes, would depend on how many there are.
template <class Function>
void on_one_thread(Function&& function) {
#pragma omp parallel
#pragma omp single
    function();
}

}  // namespace recon
