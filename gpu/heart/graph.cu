// Graph: 64 steps of `reflected` are recorded once and launched as one. Lesson: where a kernel takes microseconds, the
// time between kernels counts.
#include "gpu/device/cuda_handles.cuh"
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

using GraphHandle = UniqueHandle<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = UniqueHandle<cudaGraphExec_t, cudaGraphExecDestroy>;

class GraphSheet final : public StepwiseSheet {
public:
    GraphSheet(Backend& gpu, const ExcitationSetup& setup)
        : StepwiseSheet(gpu, setup, SheetLayout::plain, launch_reflected) {}

    void advance(Index steps) override {
        if (current() == 1 && steps > 0) {  // the graph begins with the first of the two copies of E
            launch_once();
            --steps;
        }
        if (steps >= recorded_steps && !graph_) {
            record();
        }
        for (; steps >= recorded_steps; steps -= recorded_steps) {
            check(cudaGraphLaunch(graph_.get(), queue_.stream()));
        }
        for (; steps > 0; --steps) {
            launch_once();
        }
    }

private:
    static constexpr Index recorded_steps = 64;  // even: E ends in the copy in which it began

    void record() {
        check(cudaStreamBeginCapture(queue_.stream(), cudaStreamCaptureModeThreadLocal));
        for (Index step = 0; step < recorded_steps; ++step) {
            launch_once();
        }
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(queue_.stream(), &graph));
        const GraphHandle owned(graph);
        cudaGraphExec_t executable = nullptr;
        check(cudaGraphInstantiate(&executable, graph, 0));
        graph_ = GraphExecHandle(executable);
    }

    GraphExecHandle graph_;
};

}  // namespace

Step graph_step() {
    return {.id = "graph",
            .title = "CUDA graph of 64 steps",
            .change = "the kernels of `reflected`, recorded once and launched together",
            .bound = "memory or the second cache; a little time between kernels",
            .make = [](const Devices& devices, const ExcitationSetup& setup) -> std::unique_ptr<Excitation> {
                return std::make_unique<GraphSheet>(*devices.gpus.front(), setup);
            }};
}

}  // namespace recon::heart
