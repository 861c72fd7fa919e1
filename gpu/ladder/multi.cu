// Multi: the tuned kernel on several GPUs of one host, one thread of the host for each. Split by voxels, every GPU has
// all samples and a part of the image: nothing is exchanged. Split by samples, every GPU has the whole image for a part
// of the samples, and the images are added up over NVLink by NCCL: an exchange, but fewer launches for each GPU and all
// its multiprocessors at work in every one. Lesson: what looks free is not always faster; both stay above 90 % where
// there is work enough, and neither does where there is not.
#include <chrono>

#include "core/parallel/run_ranks.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/tuned_kernel.cuh"
#include "gpu/nccl/gpu_communicator.hpp"

namespace recon::ladder {
namespace {

enum class Split { voxels, samples };

/// Backends and ranks of their own for the GPUs of `devices`.
struct Ranks {
    std::vector<std::unique_ptr<Backend>> backends;
    std::vector<std::unique_ptr<Communicator>> communicators;

    explicit Ranks(const Devices& devices) {
        for (Backend* gpu : devices.gpus) {
            backends.push_back(make_cuda_backend(queue_of(*gpu).ordinal()));
        }
        if (backends.size() > 1) {
            communicators = make_gpu_communicators(backends);
        } else {
            communicators.push_back(std::make_unique<SelfCommunicator>());
        }
    }
};

/// Waits until all ranks are here.
void meet(Communicator& ranks) { ranks.sum(0); }

Problem part_of(const Problem& problem, Split split, const Share& share) {
    Problem part = problem;
    const auto cut = [&](auto& list) {
        if (!list.empty()) {
            list = std::decay_t<decltype(list)>(list.begin() + share.first, list.begin() + share.first + share.count);
        }
    };
    for (int axis = 0; axis < 3; ++axis) {
        cut(split == Split::voxels ? part.r[axis] : part.k[axis]);
    }
    if (split == Split::samples) {
        cut(part.phi_squared);
        cut(part.phi_conj_data);
    }
    part.grid.reset();
    return part;
}

/// One rank's part: `seconds` and `values` are written by rank 0, and `values` by each rank where it has voxels.
template <Sum sum>
void run_rank(Communicator& ranks, Backend& backend, const Problem& problem, Split split, const Tuning& tuning,
              int repeats, StepRun& run) {
    const Share share = share_of(split == Split::voxels ? problem.voxel_count() : problem.sample_count(), ranks);
    const Problem part = part_of(problem, split, share);
    CudaQueue& queue = queue_of(backend);
    const bool has_work = share.count > 0;
    const DeviceBuffer<Sample<sum>> samples(queue, std::span<const Sample<sum>>(sample_structures<sum>(part)));
    const DeviceVoxels voxels(queue, part);
    Array image(backend, Shape{{"voxel", std::max<Index>(part.voxel_count(), 1)}}, Precision::single);
    backend.fill(0, image);
    auto* results = reinterpret_cast<ComplexPair*>(image.view().data<float>());
    for (int i = repeats > 1 ? -1 : 0; i < repeats; ++i) {  // -1: to warm up
        queue.synchronize();
        meet(ranks);
        const auto start = std::chrono::steady_clock::now();
        if (has_work) {
            launch_tuned<sum>(queue, tuning, samples.data(), samples.size(), voxels.arrays(), part.voxel_count(),
                              results);
        } else {
            backend.fill(0, image);
        }
        if (split == Split::samples) {
            ranks.all_reduce_sum(image);
        }
        queue.synchronize();
        meet(ranks);
        if (ranks.rank() == 0 && i >= 0) {
            run.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
    }
    if (split == Split::voxels && has_work) {
        download(image, std::span(run.values).subspan(share.first, share.count));
    } else if (split == Split::samples && ranks.rank() == 0) {
        download(image, std::span(run.values));
    }
}

template <Split split>
StepRun run(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    const Ranks ranks(devices);
    StepRun result;
    result.values.resize(problem.voxel_count());
    run_ranks(ranks.communicators, [&](Communicator& rank) {
        Backend& backend = *ranks.backends[rank.rank()];
        sum == Sum::q ? run_rank<Sum::q>(rank, backend, problem, split, devices.tuning, repeats, result)
                      : run_rank<Sum::fhd>(rank, backend, problem, split, devices.tuning, repeats, result);
    });
    result.work = tuned_work(problem, sum, devices.tuning);
    result.tuning = devices.tuning;
    result.remark = text(devices.tuning) + "; by the clock of the host";
    return result;
}

}  // namespace

Step multi_voxels_step() {
    return {.id = "multi-voxels",
            .title = "Multi: split by voxels",
            .change = "the tuned kernel on several GPUs, a part of the voxels on each",
            .bound = "special functions; too few voxels a GPU",
            .place = Place::gpus,
            .run = run<Split::voxels>};
}

Step multi_samples_step() {
    return {.id = "multi-samples",
            .title = "Multi: split by samples",
            .change = "a part of the samples on each GPU, the images added up by NCCL",
            .bound = "special functions; the exchange of images",
            .place = Place::gpus,
            .run = run<Split::samples>};
}

}  // namespace recon::ladder
