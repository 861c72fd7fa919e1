#include "app/reconstruction/coils/estimated_maps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include "app/reconstruction/coils/coil_estimation.hpp"
#include "app/reconstruction/coils/coil_preparation.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

/// Frames that the maps of a slice come from, the same on all processes: its calibration, if there is one; else the
/// clear ones, the clearest first; of a slice of one frame that one.
std::vector<const Frame*> sources_of_maps(const ReconstructionContext& context, const Frame& frame) {
    const std::vector<Frame>& calibration = context.scan.calibration;
    const auto own = std::ranges::find(calibration, frame.label.slice, [](const Frame& f) { return f.label.slice; });
    if (own != calibration.end()) {
        return {&*own};
    }
    const auto clear = context.clearest_frames.find(frame.label.slice);
    if (clear == context.clearest_frames.end()) {
        return {&frame};
    }
    std::vector<const Frame*> sources;
    for (const std::size_t number : clear->second.all()) {
        sources.push_back(&context.scan.frames[number]);
    }
    return sources;
}

/// In memory, for a while where it comes on demand; not for a forecast.
class LoadedFrame {
public:
    LoadedFrame(const Frame& source, const Backend& backend) : frame_(&source) {
        if (backend.computes() && source.kspace.empty()) {
            read_ = source;
            read_.load();
            frame_ = &read_;
        }
    }
    const Frame& operator*() const { return *frame_; }

private:
    Frame read_;
    const Frame* frame_;
};

/// Of the maps of a slice, of the coils that are held here.
std::size_t bytes_of_maps(const ReconstructionContext& context) {
    return static_cast<std::size_t>(context.image_shape().element_count() * coils_held(context.scan)) * sizeof(cfloat);
}

/// Gives the coils of each process a copy of their maps, which rank 0 has estimated and keeps.
void share_estimated_maps(const ReconstructionContext& context, Index slice) {
    CoilMapStore& store = context.coil_maps;
    Communicator& ranks = context.ranks();
    if (ranks.in_one_process()) {
        return;
    }
    const auto stage = context.run.stage(Stage::coil_maps);
    const Share own = context.division.coils();
    const auto voxel_count = static_cast<std::size_t>(context.image_shape().element_count());
    const std::size_t own_count = ranks.rank() == 0 ? 0 : voxel_count * static_cast<std::size_t>(own.count);
    MemoryClaim claim = context.backend.claim_on_host(own_count * sizeof(cfloat));
    std::vector<cfloat> one(voxel_count), maps;
    maps.reserve(own_count);
    for (Index coil = 0; coil < context.scan.coil_count; ++coil) {
        if (ranks.rank() == 0) {
            std::copy_n(store.of(slice).begin() + coil * static_cast<Index>(voxel_count), voxel_count, one.begin());
        }
        ranks.broadcast(std::as_writable_bytes(std::span(one)));
        if (ranks.rank() != 0 && coil >= own.first && coil < own.first + own.count) {
            maps.insert(maps.end(), one.begin(), one.end());
        }
    }
    if (ranks.rank() != 0) {
        store.add(slice, std::move(maps), std::move(claim));
    }
}

/// Makes maps of whitened coils, of unit root-sum-of-squares, those of an image as bright as the coils that were
/// measured see it: noise and what is known of it change no shading. Coils that amplify far more than others are scaled
/// to these.
void shade_as_measured(const ReconstructionContext& context, std::vector<cfloat>& maps) {
    constexpr Index at_once = 1 << 15;  // voxels
    const AllCoils coils(context.scan, maps);
    const std::vector<double> gains = context.whitening->gains();
    std::vector<Index> voxels;
    for (Index first = 0; first < coils.length(); first += at_once) {
        voxels.resize(static_cast<std::size_t>(std::min(at_once, coils.length() - first)));
        std::iota(voxels.begin(), voxels.end(), first);
        std::vector<cfloat> measured = coils.at(voxels);
        if (context.compression) {
            context.compression->undo(measured);
        }
        context.whitening->undo(measured);
        for (std::size_t i = 0; i < voxels.size(); ++i) {
            double square = 0;
            for (std::size_t coil = 0; coil < gains.size(); ++coil) {
                square += std::norm(cdouble(measured[coil * voxels.size() + i]) / gains[coil]);
            }
            const auto factor = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
            for (Index coil = 0; coil < coils.here().count; ++coil) {
                maps[static_cast<std::size_t>(coil * coils.length() + voxels[i])] *= factor;
            }
        }
    }
}

CoilEstimation estimation_of(const ReconstructionContext& context, const Frame& frame, const AllCoils& kspace,
                             const CalibrationPlace& place) {
    return {frame,
            kspace,
            context.matrix_size(),
            context.options.coils,
            frame.sample_times_s.empty() ? OffResonanceMaps{} : context.off_resonance(frame.label.slice),
            place,
            context.noise.sigma};
}

/// Maps for a frame's slice, of the coils that are held here.
void add_estimate(const ReconstructionContext& context, const Frame& frame_in_need) {
    Backend& backend = context.backend;
    const Index slice = frame_in_need.label.slice;
    const std::vector<const Frame*> sources = sources_of_maps(context, frame_in_need);
    const LoadedFrame frame(*sources.front(), backend);
    // a forecast must not wait for other processes, which may make more or fewer of them
    const bool only_forecast = context.scan.parts && !backend.computes();
    const AllCoils kspace(context.scan, only_forecast ? std::span<const cfloat>() : (*frame).kspace);
    const CalibrationPlace place =
        context.calibration_places.of(*sources.front(), kspace, context.matrix_size(), context.options.coils);
    const CoilEstimation estimation = estimation_of(context, *frame, kspace, place);
    const auto images_of_others = [&] {
        std::vector<CalibrationImages> images;
        for (const Frame* const source : std::span(sources).subspan(1)) {
            const LoadedFrame other(*source, backend);
            const AllCoils of_other(context.scan, (*other).kspace);
            if (auto found = estimation_of(context, *other, of_other, place).images(backend)) {
                images.push_back(std::move(*found));
            }
        }
        return images;
    };
    MemoryClaim maps_claim = backend.claim_on_host(bytes_of_maps(context));
    const MemoryClaim working_claim = backend.claim_on_host(estimation.host_bytes());
    if (backend.computes()) {
        std::vector<cfloat> maps = estimation.maps(backend, images_of_others);
        if (context.whitening && context.options.coils.body_coil_image.empty()) {
            shade_as_measured(context, maps);
        }
        context.coil_maps.add(slice, std::move(maps), std::move(maps_claim));
    } else {
        const MemoryClaim gridding(backend.memory(), estimation.backend_bytes(backend, backend.memory().piece_bytes()));
        context.coil_maps.add(slice, {cfloat(1)}, std::move(maps_claim));
    }
}

/// For the output, which has them as they are.
void hand_out(const ReconstructionContext& context, Index slice) {
    const auto& are_ready = context.run.control().coil_maps_are_ready;
    if (are_ready && context.backend.computes()) {
        std::vector<cfloat>& maps = context.coil_maps.of(slice);
        NamedArray for_file = coil_maps_for_file(std::move(maps), context.matrix_size());
        are_ready(for_file);
        maps = std::get<std::vector<cfloat>>(std::move(for_file.values));
    }
}

}  // namespace

void estimate_maps(const ReconstructionContext& context, const Frame& frame_in_need) {
    CoilMapStore& store = context.coil_maps;
    const Index slice = frame_in_need.label.slice;
    const bool missing = !store.has(slice);
    if (context.scan.parts) {
        if (missing) {
            const auto stage = context.run.stage(Stage::coil_maps);
            add_estimate(context, frame_in_need);
        }
        return;
    }
    bool is_new = false;  // to the root
    context.run.from_root(Stage::coil_maps, [&] {
        if (store.has(slice)) {
            return;
        }
        add_estimate(context, frame_in_need);
        is_new = true;
    });
    if (context.coils_are_as_measured && context.scan.frames.size() == 1) {
        context.run.from_root(Stage::write, [&] {
            if (is_new) {
                hand_out(context, slice);
            }
        });
    }
    if (missing) {
        share_estimated_maps(context, slice);
    }
}

bool estimates_coil_maps(const Scan& scan, const CoilOptions& options) {
    return scan.coil_maps.empty() && (scan.coil_count > 1 || !options.body_coil_image.empty());
}

void claim_estimated_maps(const ReconstructionContext& context, Index slice) {
    if (!estimates_coil_maps(context.scan, context.options.coils)) {
        return;
    }
    for (const Frame& frame : context.scan.frames) {
        if (frame.label.slice != slice && !context.coil_maps.has(frame.label.slice)) {
            context.coil_maps.add(frame.label.slice, {}, context.backend.claim_on_host(bytes_of_maps(context)));
        }
    }
}

void gather_estimated_maps(const Scan& scan, CoilMapStore& coil_maps) {
    if (!scan.parts) {
        return;
    }
    constexpr std::size_t most_bytes = std::size_t{128} << 20;  // of all slices
    std::set<Index> slices;
    for (const Frame& frame : scan.frames) {
        if (coil_maps.has(frame.label.slice)) {
            slices.insert(frame.label.slice);
        }
    }
    const auto voxels = static_cast<std::size_t>(Shape::image(scan.geometry.matrix_size).element_count());
    const std::size_t bytes = slices.size() * voxels * static_cast<std::size_t>(scan.coil_count) * sizeof(cfloat);
    for (const Index slice : slices) {
        const std::vector<cfloat> own = coil_maps.take(slice);
        if (bytes <= most_bytes) {
            coil_maps.add(slice, AllCoils(scan, own).everything(), {});
        }
    }
    if (bytes > most_bytes) {
        log_info("coil maps: not in the output, as each process has those of its coils alone, and all would take {}",
                 memory_text(bytes));
    }
}

}  // namespace recon
