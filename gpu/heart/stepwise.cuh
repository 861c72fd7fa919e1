#pragma once

#include "gpu/heart/sheets/device_sheet.cuh"
#include "gpu/heart/sheets/excitation_cell.cuh"
#include "gpu/heart/heart_step.hpp"

namespace recon::heart {

/// One step of a sheet in a GPU's memory, by one or several kernels.
struct StepLaunch {
    ExcitationRates<double> m;
    double* before;  ///< E, whose ghost cells may be written
    double* after;   ///< E of the next step
    double* r;
    int size;
    Index pitch;
    cudaStream_t stream;
};

/// A sheet whose steps are launched one after the other.
class StepwiseSheet : public DeviceSheet<double> {
public:
    using Launch = void (*)(const StepLaunch&);
    StepwiseSheet(Backend& gpu, const ExcitationSetup& setup, SheetLayout layout, Launch launch)
        : DeviceSheet<double>(gpu, setup, layout), launch_(launch) {}

    void advance(Index steps) override {
        for (Index step = 0; step < steps; ++step) {
            launch_once();
        }
    }

protected:
    void launch_once() {
        launch_({rates_, excitation(), next_excitation(), recovery(), size_, pitch_, queue_.stream()});
        swap();
    }

private:
    Launch launch_;
};

template <SheetLayout layout, StepwiseSheet::Launch launch>
std::unique_ptr<Excitation> make_stepwise(const Devices& devices, const ExcitationSetup& setup) {
    return std::make_unique<StepwiseSheet>(*devices.gpus.front(), setup, layout, launch);
}

/// Fills the ghost cells of E (V1 to V4).
void launch_mirror(const StepLaunch& step);

/// One cell a thread, neighbours found by their index, no ghost cells (reflected.cu, graph.cu).
void launch_reflected(const StepLaunch& step);
/// A column of 16 cells a thread, what the next row needs kept in registers (rolling.cu, graph.cu).
void launch_rolling(const StepLaunch& step);

// The steps, each in the file of its name.
Step v1_separate_step();
Step v2_fused_step();
Step v3_registers_step();
std::vector<Step> v4_shared_steps();
Step reflected_step();
Step cooperative_step();
Step rolling_step();
Step graph_step();
std::vector<Step> blocked_steps();
Step blocked_single_step();
Step resident_step();
Step resident_single_step();
std::vector<Step> several_gpus_steps();

}  // namespace recon::heart
