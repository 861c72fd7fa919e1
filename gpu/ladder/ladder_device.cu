#include "gpu/ladder/ladder_device.cuh"

#include <cmath>

#include "core/base/error.hpp"

namespace recon::ladder {
namespace {

EventHandle make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event));
    return EventHandle(event);
}

DeviceBuffer<float> uploaded(CudaQueue& queue, const std::vector<float>& host) {
    return {queue, std::span<const float>(host)};
}

}  // namespace

std::vector<Voxel> voxel_structures(const Problem& problem) {
    std::vector<Voxel> voxels(problem.voxel_count());
    for (Index n = 0; n < problem.voxel_count(); ++n) {
        voxels[n] = {problem.r[0][n], problem.r[1][n], problem.r[2][n], {0, 0}};
    }
    return voxels;
}

RawSamples raw_samples(const Problem& problem) {
    RawSamples raw;
    for (Index m = 0; m < problem.sample_count(); ++m) {
        const float phi = std::sqrt(problem.phi_squared[m]);
        raw.phi.push_back({phi, 0});
        const cfloat d = problem.phi_conj_data.empty() || phi == 0 ? cfloat(0) : problem.phi_conj_data[m] / phi;
        raw.data.push_back({d.real(), d.imag()});
    }
    return raw;
}

DeviceSamples::DeviceSamples(CudaQueue& queue, const Problem& problem, Sum sum) {
    for (int axis = 0; axis < 3; ++axis) {
        k_[axis] = uploaded(queue, problem.k[axis]);
    }
    if (sum == Sum::q) {
        re_ = uploaded(queue, problem.phi_squared);
        return;
    }
    std::vector<float> re, im;
    for (const cfloat value : problem.phi_conj_data) {
        re.push_back(value.real());
        im.push_back(value.imag());
    }
    re_ = uploaded(queue, re);
    im_ = uploaded(queue, im);
}

DeviceVoxels::DeviceVoxels(CudaQueue& queue, const Problem& problem) {
    for (int axis = 0; axis < 3; ++axis) {
        r_[axis] = uploaded(queue, problem.r[axis]);
    }
}

CudaQueue& queue_of(Backend& gpu) {
    auto* backend = dynamic_cast<CudaBackend*>(&gpu);
    if (!backend) {
        throw UsageError("a step of the ladder that needs a GPU was asked of " + gpu.name());
    }
    return backend->queue();
}

StepRun GpuRun::measure(int repeats, const Work& work, const std::function<void()>& sums) {
    queue.synchronize();
    StepRun run;
    run.prepare_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    run.work = work;
    if (repeats > 1) {
        sums();
    }
    const EventHandle begin = make_event(), end = make_event();
    for (int i = 0; i < repeats; ++i) {
        check(cudaEventRecord(begin.get(), queue.stream()));
        sums();
        check(cudaEventRecord(end.get(), queue.stream()));
        check(cudaEventSynchronize(end.get()));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
        run.seconds.push_back(1e-3 * milliseconds);
    }
    return run;
}

std::vector<cfloat> results_of(CudaQueue& queue, const DeviceBuffer<ComplexPair>& results) {
    std::vector<cfloat> values(results.size());
    queue.download_bytes(results.data(), values.data(), values.size() * sizeof(cfloat));
    return values;
}

std::vector<cfloat> results_of(CudaQueue& queue, const DeviceBuffer<Voxel>& voxels) {
    std::vector<Voxel> host(voxels.size());
    queue.download_bytes(voxels.data(), host.data(), host.size() * sizeof(Voxel));
    std::vector<cfloat> values;
    for (const Voxel& voxel : host) {
        values.emplace_back(voxel.result.re, voxel.result.im);
    }
    return values;
}

Work loop_work(const Problem& problem, Sum sum, const LoopCounts& counts, double requested, Index launches) {
    const double pairs = problem.pair_count();
    const auto voxels = static_cast<double>(problem.voxel_count());
    const auto samples = static_cast<double>(problem.sample_count());
    const LoopCount& count = sum == Sum::q ? counts.q : counts.fhd;
    const double sample_bytes = sum == Sum::q ? sizeof(Sample<Sum::q>) : sizeof(Sample<Sum::fhd>);
    Work work;
    work.instructions = count.instructions * pairs;
    work.special_functions = count.special_functions * pairs;
    // A voxel and launch: its position, its sum so far where it is not the first, and the sum written.
    work.words = count.words * pairs +
                 voxels * (3.0 * static_cast<double>(launches) + 2.0 * static_cast<double>(2 * launches - 1));
    work.requested_bytes = requested * pairs;
    work.device_bytes = samples * sample_bytes +
                        voxels * (12.0 * static_cast<double>(launches) + 8.0 * static_cast<double>(2 * launches - 1));
    return work;
}

}  // namespace recon::ladder
