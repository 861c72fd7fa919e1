#pragma once

#include "core/heart/excitation.hpp"

namespace recon {

/// The numbers of a step in the precision of its arithmetic, multiplied where that saves work in every cell.
template <class T>
struct ExcitationRates {
    T alpha, minus_dt, k, minus_k_a, minus_k_b1, minus_dt_epsilon, minus_dt_m1, m2;

    explicit ExcitationRates(const ExcitationSetup& setup)
        : alpha(static_cast<T>(setup.model.diffusion_number(setup.size, setup.time_step))),
          minus_dt(static_cast<T>(-setup.time_step)),
          k(static_cast<T>(setup.model.k)),
          minus_k_a(static_cast<T>(-setup.model.k * setup.model.a)),
          minus_k_b1(static_cast<T>(-setup.model.k * (setup.model.b + 1))),
          minus_dt_epsilon(static_cast<T>(-setup.time_step * setup.model.epsilon)),
          minus_dt_m1(static_cast<T>(-setup.time_step * setup.model.m1)),
          m2(static_cast<T>(setup.model.m2)) {}
};

}  // namespace recon
