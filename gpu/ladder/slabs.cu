// Slabs: an image that is larger than the card's memory, or than a grid of its blocks, by several launches: positions
// of 2^21 voxels go up, the tuned kernel takes them through all samples, their sums come down, then the next slab. So
// 512^3 voxels, 2.7 GB of positions and sums, take 42 MB on the card. Copies count in its time here, as they do not
// elsewhere: 20 bytes a voxel against its sums over all samples. Lesson: with many samples the launches cost nothing;
// with few the bus is the bound.
#include <string>

#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/tuned_kernel.cuh"

namespace recon::ladder {
namespace {

constexpr Index most_voxels = Index{1} << 21;  ///< of a slab: 128^3

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const Index slab = std::min(most_voxels, problem.voxel_count());
    DeviceBuffer<float> r[3];
    for (DeviceBuffer<float>& component : r) {
        component = DeviceBuffer<float>(gpu.queue, slab);
    }
    DeviceBuffer<ComplexPair> results(gpu.queue, slab);
    std::vector<cfloat> values(problem.voxel_count());
    const Index slabs = (problem.voxel_count() + slab - 1) / slab;
    StepRun result = gpu.measure(repeats, tuned_work(problem, sum, devices.tuning), [&] {
        for (Index first = 0; first < problem.voxel_count(); first += slab) {
            const Index count = std::min(slab, problem.voxel_count() - first);
            for (int axis = 0; axis < 3; ++axis) {
                check(cudaMemcpyAsync(r[axis].data(), problem.r[axis].data() + first, count * sizeof(float),
                                      cudaMemcpyHostToDevice, gpu.queue.stream()));
            }
            launch_tuned<sum>(gpu.queue, devices.tuning, samples.data(), samples.size(),
                              {r[0].data(), r[1].data(), r[2].data()}, count, results.data());
            check(cudaMemcpyAsync(values.data() + first, results.data(), count * sizeof(cfloat), cudaMemcpyDeviceToHost,
                                  gpu.queue.stream()));
        }
    });
    result.values = std::move(values);
    result.tuning = devices.tuning;
    result.remark = std::to_string(slabs) + (slabs == 1 ? " slab" : " slabs") + " of up to " + std::to_string(slab) +
                    " voxels; copies of positions and sums counted in";
    return result;
}

}  // namespace

Step slabs_step() {
    return {.id = "slabs",
            .title = "Slabs: a large image by several launches",
            .change = "the tuned kernel, 2^21 voxels at a time; their copies count",
            .bound = "special functions; the bus where samples are few",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats)
                                     : run<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
