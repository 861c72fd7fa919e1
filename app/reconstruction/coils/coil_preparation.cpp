#include "app/reconstruction/coils/coil_preparation.hpp"

#include <algorithm>
#include <set>

#include "app/reconstruction/coils/coil_estimation.hpp"
#include "app/reconstruction/frames/frame_division.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/log.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/check/dead_parts.hpp"

namespace recon {
namespace {

/// Coils of the scan whose k-space (of the first frame) or map is zero throughout, and those of the options, ascending.
std::vector<Index> coils_to_leave_out(Scan& scan, const CoilOptions& options) {
    Frame& first = scan.frames.front();
    const std::size_t kspace_bytes = static_cast<std::size_t>(first.sample_count() * scan.coil_count) * sizeof(cfloat);
    if (first.kspace.empty() && kspace_bytes > available_memory().bytes) {
        return options.left_out;  // the plan of memory will refuse it
    }
    first.load();  // and stays there: it is the first to be reconstructed
    const std::vector<Index> silent = coils_of_zeros(first.kspace, scan.coil_count);
    if (static_cast<Index>(silent.size()) == scan.coil_count) {
        return options.left_out;  // what needs signal will say so
    }
    std::set<Index> all(silent.begin(), silent.end());
    if (!silent.empty()) {
        log_warning("{} hold{} nothing but zeros, and {} left out", numbered("coil", silent),
                    silent.size() == 1 ? "s" : "", silent.size() == 1 ? "is" : "are");
    }
    if (!scan.coil_maps.empty()) {
        const std::vector<Index> unseen = coils_of_zeros(scan.coil_maps, scan.coil_count);
        all.insert(unseen.begin(), unseen.end());
        if (!unseen.empty()) {
            log_warning("the map{} of {} {} zero throughout: left out", unseen.size() == 1 ? "" : "s",
                        numbered("coil", unseen), unseen.size() == 1 ? "is" : "are");
        }
    }
    all.insert(options.left_out.begin(), options.left_out.end());
    if (!options.left_out.empty()) {
        log_info("{} left out, as asked for", numbered("coil", options.left_out));
    }
    return {all.begin(), all.end()};
}

/// The covariance of the coils that are left. @param covariance  [coil coil]
std::vector<cdouble> covariance_without(const std::vector<Index>& left_out, const std::vector<cdouble>& covariance,
                                        Index coil_count) {
    std::vector<cdouble> result;
    const auto stays = [&](Index coil) { return !std::binary_search(left_out.begin(), left_out.end(), coil); };
    for (Index i = 0; i < static_cast<Index>(covariance.size()); ++i) {
        if (stays(i / coil_count) && stays(i % coil_count)) {
            result.push_back(covariance[static_cast<std::size_t>(i)]);
        }
    }
    return result;
}

std::optional<Prewhitening> whitening_of(const Scan& scan, const CoilOptions& options,
                                         const std::vector<cdouble>& covariance) {
    if (!covariance.empty()) {
        log_info("coils prewhitened by the noise covariance of {}", options.noise_covariance_path);
        return Prewhitening::from_covariance(covariance, scan.coil_count, options.noise_covariance_path);
    }
    if (scan.noise.empty() || !options.prewhiten) {
        return std::nullopt;
    }
    log_info("noise scan: {} samples, coils prewhitened", static_cast<Index>(scan.noise.size()) / scan.coil_count);
    return Prewhitening::from_noise(scan.noise, scan.coil_count);
}

/// Whitening or compression of everything that has a coil axis.
template <class Transform>
void apply_to(Scan& scan, const Transform& transform) {
    const auto shared = std::make_shared<const Transform>(transform);
    transform_kspace(scan, [shared](Index, std::vector<cfloat>& kspace) { shared->apply(kspace); });
    transform.apply(scan.noise);
    transform.apply(scan.coil_maps);
}

/// Of all frames, each of which is in memory for its turn alone if it comes on demand.
CoilEnergy energy_of(Scan& scan) {
    CoilEnergy energy(scan.coil_count);
    for (Frame& frame : scan.frames) {
        const bool on_demand = frame.kspace.empty();
        frame.load();
        energy.add(frame.kspace);
        if (on_demand) {
            frame.release();
        }
    }
    return energy;
}

/// The frame that the maps of a slice come from: the one in need of them, but where processes divide the frames the
/// same on all of them. @param other  holds it, if it has to be read
const Frame& source_of_maps(const ReconstructionContext& context, const Frame& frame, Frame& other) {
    if (!context.frames_divided) {
        return frame;
    }
    const Frame& source = frame_of_coil_maps(context.scan, frame.label.slice);
    if (&source == &frame || !source.kspace.empty()) {
        return source;
    }
    other = source;
    other.load();
    return other;
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

/// Estimates the maps of the frame's slice on the first rank, unless they are there; the others wait.
void estimate_for_all(const ReconstructionContext& context, const Frame& frame_in_need) {
    CoilMapStore& store = context.coil_maps;
    const Index slice = frame_in_need.label.slice;
    const bool missing = !store.has(slice);
    context.run.from_root(Stage::coil_maps, [&] {
        if (store.has(slice)) {
            return;
        }
        Frame other;
        const Frame& frame = source_of_maps(context, frame_in_need, other);
        const Index coil_count = context.scan.coil_count;
        const CoilEstimation estimation(frame, context.matrix_size(), coil_count, context.options.coils,
                                        context.off_resonance());
        Backend& backend = context.backend;
        MemoryClaim maps_claim = backend.claim_on_host(
            static_cast<std::size_t>(context.image_shape().element_count() * coil_count) * sizeof(cfloat));
        const MemoryClaim working_claim = backend.claim_on_host(estimation.host_bytes());
        if (backend.computes()) {
            store.add(slice, estimation.maps(backend), std::move(maps_claim));
        } else {
            const MemoryClaim gridding(backend.memory(),
                                       estimation.backend_bytes(backend, backend.memory().piece_bytes()));
            store.add(slice, {cfloat(1)}, std::move(maps_claim));
        }
    });
    if (missing) {
        share_estimated_maps(context, slice);
    }
}

}  // namespace

std::vector<cfloat> PreparedCoils::as_measured(std::vector<cfloat> maps) const {
    if (compression) {
        compression->undo(maps);
    }
    if (whitening) {
        whitening->undo(maps);
    }
    const Index kept = measured_count - static_cast<Index>(left_out.size());
    const auto voxel_count = static_cast<std::ptrdiff_t>(maps.size()) / kept;
    for (const Index coil : left_out) {
        maps.insert(maps.begin() + coil * voxel_count, static_cast<std::size_t>(voxel_count), cfloat(0));
    }
    return maps;
}

std::vector<Index> PreparedCoils::numbers() const {
    std::vector<Index> result;
    for (Index coil = 0; coil < measured_count && !compression; ++coil) {
        if (!std::binary_search(left_out.begin(), left_out.end(), coil)) {
            result.push_back(coil);
        }
    }
    return result;
}

PreparedCoils prepare_coils(Scan& scan, const CoilOptions& options, RunControl& control) {
    const StageScope stage(control, Stage::whiten);
    if (options.method || !options.body_coil_image.empty()) {
        scan.coil_maps.clear();
    }
    PreparedCoils prepared;
    prepared.measured_count = scan.coil_count;
    prepared.left_out = coils_to_leave_out(scan, options);
    const std::vector<cdouble> covariance =
        covariance_without(prepared.left_out, options.noise_covariance, scan.coil_count);
    if (!prepared.left_out.empty()) {
        drop_coils(scan, prepared.left_out);
    }
    prepared.whitening = whitening_of(scan, options, covariance);
    if (prepared.whitening) {
        apply_to(scan, *prepared.whitening);
    }
    if (options.compression.is_asked_for()) {
        prepared.compression.emplace(energy_of(scan), options.compression);
        apply_to(scan, *prepared.compression);
        log_info("coils: {} compressed to {}, which hold {:.3f} % of the energy", scan.coil_count,
                 prepared.compression->coil_count(), 100 * prepared.compression->kept_energy());
        scan.coil_count = prepared.compression->coil_count();
    }
    return prepared;
}

bool estimates_coil_maps(const Scan& scan, const CoilOptions& options) {
    return scan.coil_maps.empty() && (scan.coil_count > 1 || !options.body_coil_image.empty());
}

void claim_estimated_maps(const ReconstructionContext& context, Index slice) {
    if (!estimates_coil_maps(context.scan, context.options.coils)) {
        return;
    }
    const auto bytes =
        static_cast<std::size_t>(context.image_shape().element_count() * context.scan.coil_count) * sizeof(cfloat);
    for (const Frame& frame : context.scan.frames) {
        if (frame.label.slice != slice && !context.coil_maps.has(frame.label.slice)) {
            context.coil_maps.add(frame.label.slice, {}, context.backend.claim_on_host(bytes));
        }
    }
}

CoilSensitivity coil_sensitivity(const ReconstructionContext& context, const Frame& frame) {
    const Scan& scan = context.scan;
    std::span<const cfloat> all_maps = scan.coil_maps;
    if (estimates_coil_maps(scan, context.options.coils)) {
        estimate_for_all(context, frame);
        all_maps = context.coil_maps.of(frame.label.slice);
    }
    if (all_maps.empty()) {
        return {};
    }
    const auto stage = context.run.stage(Stage::coil_maps);
    const Share coils = context.division.coils();
    const Shape image = context.image_shape();
    const Shape maps_shape = image.with_axis("coil", coils.count);
    const bool is_part = static_cast<Index>(all_maps.size()) == maps_shape.element_count();  // of another process
    const auto own_maps = context.backend.computes() && !is_part
                              ? all_maps.subspan(coils.first * image.element_count(), maps_shape.element_count())
                              : all_maps;
    if (context.memory.coil_maps == Residency::streamed) {
        return CoilSensitivity(HostStack(context.backend, own_maps, maps_shape));
    }
    Array maps(context.backend, maps_shape, context.options.precision);
    upload(own_maps, maps);
    return CoilSensitivity(std::move(maps));
}

std::shared_ptr<const CoilSensitivity> coils_of_normal(const ReconstructionContext& context,
                                                       const std::shared_ptr<const CoilSensitivity>& coils) {
    const Share own = context.division.coils_of_normal();
    if (own.count == coils->coil_count()) {
        return coils;
    }
    const Precision precision = context.options.precision;
    Array map(context.backend, context.image_shape().with_axis("coil", 1), precision);
    if (own.count == 0) {
        context.backend.fill(0, map);
    } else {
        std::optional<Array> buffer;
        context.backend.copy(coils->map(own.first, precision, buffer), map.slice(0));
    }
    return std::make_shared<const CoilSensitivity>(std::move(map));
}

NamedArray coil_maps_for_file(std::vector<cfloat> maps, const PerAxis<Index>& matrix_size) {
    const Index coil_count = static_cast<Index>(maps.size()) / (matrix_size[0] * matrix_size[1] * matrix_size[2]);
    return {.name = "coil_maps",
            .axes = {"coil", "z", "y", "x"},
            .extents = {coil_count, matrix_size[2], matrix_size[1], matrix_size[0]},
            .values = std::move(maps),
            .unit = ""};
}

}  // namespace recon
