// The document's serial program: a ring of ghost cells, and a pass over memory for each formula. Compiled without
// vector instructions, as a program of its time. Lesson: the second step, which is the first with one pass, tells how
// weak this is; speed-ups over it say little.
#include "gpu/heart/cpu_serial.hpp"

#include <algorithm>

namespace recon::heart {
namespace {

enum class Passes { one_each, fused };

/// With ghost cells around: (size + 2) x (size + 2) numbers.
template <Passes passes>
class SerialSheet final : public Excitation {
public:
    explicit SerialSheet(const ExcitationSetup& setup)
        : m_(setup.model),
          n_(setup.size),
          alpha_(setup.model.diffusion_number(setup.size, setup.time_step)),
          dt_(setup.time_step),
          e_((n_ + 2) * (n_ + 2)),
          e_prev_(e_.size()),
          r_(e_.size()) {
        set_state(ExcitationState::spiral_start(n_));
    }

    void advance(Index steps) override {
        for (Index step = 0; step < steps; ++step) {
            mirror();
            passes == Passes::fused ? step_at_once() : step_in_passes();
            std::swap(e_, e_prev_);
        }
    }
    void synchronize() override {}

    ExcitationState state() override {
        ExcitationState state;
        state.size = n_;
        for (Index j = 1; j <= n_; ++j) {
            state.excitation.insert(state.excitation.end(), &e_prev_[at(j, 1)], &e_prev_[at(j, n_ + 1)]);
            state.recovery.insert(state.recovery.end(), &r_[at(j, 1)], &r_[at(j, n_ + 1)]);
        }
        return state;
    }
    void set_state(const ExcitationState& state) override {
        for (Index j = 1; j <= n_; ++j) {
            std::copy_n(state.excitation.begin() + (j - 1) * n_, n_, e_prev_.begin() + at(j, 1));
            std::copy_n(state.recovery.begin() + (j - 1) * n_, n_, r_.begin() + at(j, 1));
        }
    }

private:
    Index at(Index j, Index i) const { return j * (n_ + 2) + i; }

    void mirror() {
        for (Index j = 1; j <= n_; ++j) {
            e_prev_[at(j, 0)] = e_prev_[at(j, 2)];
            e_prev_[at(j, n_ + 1)] = e_prev_[at(j, n_ - 1)];
        }
        for (Index i = 1; i <= n_; ++i) {
            e_prev_[at(0, i)] = e_prev_[at(2, i)];
            e_prev_[at(n_ + 1, i)] = e_prev_[at(n_ - 1, i)];
        }
    }

    double diffused(Index c) const {
        return e_prev_[c] +
               alpha_ * (e_prev_[c + 1] + e_prev_[c - 1] - 4 * e_prev_[c] + e_prev_[c + n_ + 2] + e_prev_[c - n_ - 2]);
    }
    double excited(double e, double r) const { return e - dt_ * (m_.k * e * (e - m_.a) * (e - 1) + e * r); }
    double recovered(double e, double r) const {
        return r + dt_ * (m_.epsilon + m_.m1 * r / (e + m_.m2)) * (-r - m_.k * e * (e - m_.b - 1));
    }

    void step_in_passes() {
        for (Index j = 1; j <= n_; ++j) {
            for (Index c = at(j, 1); c <= at(j, n_); ++c) {
                e_[c] = diffused(c);
            }
        }
        for (Index j = 1; j <= n_; ++j) {
            for (Index c = at(j, 1); c <= at(j, n_); ++c) {
                e_[c] = excited(e_[c], r_[c]);
            }
        }
        for (Index j = 1; j <= n_; ++j) {
            for (Index c = at(j, 1); c <= at(j, n_); ++c) {
                r_[c] = recovered(e_[c], r_[c]);
            }
        }
    }

    void step_at_once() {
        for (Index j = 1; j <= n_; ++j) {
            for (Index c = at(j, 1); c <= at(j, n_); ++c) {
                e_[c] = excited(diffused(c), r_[c]);
                r_[c] = recovered(e_[c], r_[c]);
            }
        }
    }

    ExcitationModel m_;
    Index n_;
    double alpha_, dt_;
    std::vector<double> e_, e_prev_, r_;
};

}  // namespace

Step cpu_serial_step() {
    return {.id = "cpu-serial",
            .title = "CPU, one thread, a pass for each formula",
            .change = "the formulas of the document one after the other, no vector instructions",
            .bound = "one division and 20 other operations after the other",
            .place = Place::cpu,
            .bytes_a_cell = 72,
            .published = Published{570.656, 5.96, 0},
            .make = [](const Devices&, const ExcitationSetup& setup) -> std::unique_ptr<Excitation> {
                return std::make_unique<SerialSheet<Passes::one_each>>(setup);
            }};
}

Step cpu_fused_step() {
    return {.id = "cpu-fused",
            .title = "CPU, one thread, one pass",
            .change = "all formulas in one loop: E and R are in registers between them",
            .bound = "the chain of operations of a cell",
            .place = Place::cpu,
            .make = [](const Devices&, const ExcitationSetup& setup) -> std::unique_ptr<Excitation> {
                return std::make_unique<SerialSheet<Passes::fused>>(setup);
            }};
}

}  // namespace recon::heart
