#include "app/reconstruction/coils/coil_preparation.hpp"

#include <algorithm>

#include "app/reconstruction/coils/coil_whitening.hpp"
#include "app/reconstruction/coils/estimated_maps.hpp"
#include "app/reconstruction/coils/silent_coils.hpp"
#include "app/reconstruction/frames/clearest_frames.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/mri/check/dead_parts.hpp"
#include "core/mri/check/noise_scan.hpp"
#include "core/mri/coils/samples_of_shells.hpp"

namespace recon {
namespace {

/// @param numbers  of the coils, for people
void leave_out_what_is_no_noise(Scan& scan, const std::vector<Index>& numbers) {
    std::vector<Index> mute = coils_without_noise(scan);
    if (!mute.empty()) {
        std::ranges::transform(mute, mute.begin(), [&](Index coil) { return numbers[coil]; });
        log_warning("{}: a reconstruction does without any", text_of_no_noise(mute));
        scan.noise.clear();
    }
}

/// As mistake_of_noise_scan; parts of the coils, of which some were left out, are not in memory any more.
std::string mistake_of_noise(Scan& scan) {
    if (scan.noise.empty() || !first_frame_fits(scan)) {
        return "";
    }
    scan.frames.front().load();
    return mistake_of_noise_scan(scan, scan.frames.front());
}

/// [new coil, coil]: what becomes of a coil that is 1 where the others are 0.
template <class Transform>
std::vector<cdouble> matrix_of(const Transform& transform, Index coil_count) {
    std::vector<cfloat> units(static_cast<std::size_t>(coil_count * coil_count));  // [element coil]
    for (Index coil = 0; coil < coil_count; ++coil) {
        units[static_cast<std::size_t>(coil * coil_count + coil)] = 1;
    }
    transform.apply(units);
    const Index new_coil_count = static_cast<Index>(units.size()) / coil_count;
    std::vector<cdouble> matrix(units.size());
    for (Index from = 0; from < coil_count; ++from) {
        for (Index to = 0; to < new_coil_count; ++to) {
            matrix[static_cast<std::size_t>(from * new_coil_count + to)] =
                units[static_cast<std::size_t>(to * coil_count + from)];
        }
    }
    return matrix;
}

/// Whitening or compression of everything that has a coil axis.
template <class Transform>
void apply_to(Scan& scan, const Transform& transform) {
    if (scan.parts) {
        transform.apply(scan.noise);
        mix_coils_of_parts(scan, matrix_of(transform, scan.coil_count));
        return;
    }
    const auto shared = std::make_shared<const Transform>(transform);
    transform_all_kspace(scan, [shared](std::vector<cfloat>& kspace) { shared->apply(kspace); });
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

/// Of samples from the centre to the edge of k-space, in a few slices: coils are where they are.
/// @param clearest  frames of slices that have several
CoilEnergy energy_of_some_slices(Scan& scan, const std::map<Index, ClearFrames>& clearest) {
    constexpr std::size_t most_slices = 8;
    constexpr Index shells = 64, of_shell = 256;
    std::vector<std::vector<std::size_t>> slices;
    for (const auto& [slice, frames] : frames_of_slices(scan)) {
        slices.push_back(clearest.contains(slice) ? clearest.at(slice).all() : std::vector{frames.front()});
    }
    CoilEnergy energy(scan.coil_count);
    const std::size_t count = std::min(slices.size(), most_slices);
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::size_t number : slices[i * slices.size() / count]) {
            Frame& frame = scan.frames[number];
            const bool stays = number == 0 || !frame.kspace.empty();
            frame.load();
            energy.add(AllCoils(scan, frame.kspace).at(samples_of_shells(*frame.trajectory, shells, of_shell)));
            if (!stays) {
                frame.release();
            }
        }
    }
    return energy;
}

/// For many coils that hold fewer signals.
std::optional<CoilCompression> compression_to_signal(Scan& scan, const std::map<Index, ClearFrames>& clearest) {
    constexpr double worthwhile = 0.75;  // of the coils
    if (!first_frame_fits(scan)) {
        return std::nullopt;
    }
    const CoilEnergy energy = energy_of_some_slices(scan, clearest);
    const Index kept = coils_of_signal(energy);
    const bool too_few_for_ranks = scan.parts && kept < scan.parts->ranks.size();
    if (static_cast<double>(kept) > worthwhile * static_cast<double>(scan.coil_count) || too_few_for_ranks) {
        return std::nullopt;
    }
    return CoilCompression(energy, {.coil_count = kept});
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
    for (Index coil = 0; coil < measured_count; ++coil) {
        if (!std::binary_search(left_out.begin(), left_out.end(), coil)) {
            result.push_back(coil);
        }
    }
    return result;
}

PreparedCoils prepare_coils(Scan& scan, const ReconstructOptions& all_options, RunControl& control) {
    const StageScope stage(control, Stage::whiten);
    const CoilOptions& options = all_options.coils;
    if (options.method || !options.body_coil_image.empty()) {
        scan.coil_maps.clear();
        scan.read_coil_maps = nullptr;
    }
    PreparedCoils prepared;
    prepared.measured_count = scan.coil_count;
    const SilentCoils silent = silent_coils(scan, options);
    prepared.left_out = silent.left_out;
    const std::vector<cdouble> covariance = covariance_without(prepared.left_out, options.noise_covariance);
    if (!prepared.left_out.empty()) {
        drop_coils(scan, prepared.left_out);
    }
    leave_out_what_is_no_noise(scan, prepared.numbers());
    const std::string mistake = mistake_of_noise(scan);
    if (silent.some_fall_silent) {
        log_info("coils: some hold nothing but zeros in some of the frames: they stay apart");
    }
    prepared.whitening = whitening_of(scan, options, covariance, silent.some_fall_silent);
    if (prepared.whitening) {
        apply_to(scan, *prepared.whitening);
    }
    if (!mistake.empty()) {
        log_warning("{}; the level is found in the scan", mistake);
        scan.noise.clear();
    }
    if (!prepared.whitening && scan.noise.empty()) {
        prepared.whitening = whitening_by_kspace(scan, options, silent.some_fall_silent);
        if (prepared.whitening) {
            apply_to(scan, *prepared.whitening);
        }
    }
    const bool knows_the_noise = all_options.regularisation.scan != ScanPrior::none;
    const bool may_compress = !silent.some_fall_silent && options.compression.automatic && knows_the_noise &&
                              scan.coil_count >= coils_worth_compressing;
    const bool estimates_maps = !scan.read_coil_maps && estimates_coil_maps(scan, options);
    if (scan.coil_count > 1 && (estimates_maps || may_compress) && first_frame_fits(scan)) {
        prepared.clearest_frames = clearest_frames(scan);
    }
    if (options.compression.is_asked_for()) {
        prepared.compression.emplace(energy_of(scan), options.compression);
    } else if (may_compress) {
        prepared.compression = compression_to_signal(scan, prepared.clearest_frames);
    }
    if (prepared.compression) {
        const Index coil_count = scan.coil_count;
        apply_to(scan, *prepared.compression);
        scan.coil_count = prepared.compression->coil_count();
        log_info("coils: {} compressed to {}, which hold {:.3f} % of the energy", coil_count, scan.coil_count,
                 100 * prepared.compression->kept_energy());
    }
    return prepared;
}

CoilSensitivity coil_sensitivity(const ReconstructionContext& context, const Frame& frame,
                                 const std::vector<Index>& silent) {
    const Scan& scan = context.scan;
    std::span<const cfloat> all_maps = scan.coil_maps;
    const bool estimated = estimates_coil_maps(scan, context.options.coils);
    if (estimated) {
        estimate_maps(context, frame);
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
    Index apart = image.element_count();  // from the map of a coil to that of the next
    if (context.backend.computes() && !is_part) {
        const Index offset = estimated ? 0 : offset_of_coil_map(scan, frame.label.slice);
        apart = static_cast<Index>(all_maps.size()) / scan.coil_count;
        all_maps = all_maps.subspan(static_cast<std::size_t>(coils.first * apart + offset),
                                    static_cast<std::size_t>((coils.count - 1) * apart + image.element_count()));
    }
    HostStack own_maps(context.backend, all_maps, maps_shape, apart);
    if (context.memory.coil_maps == Residency::streamed) {
        return CoilSensitivity(std::move(own_maps));
    }
    Array maps(context.backend, maps_shape, context.options.precision);
    own_maps.load(0, maps);
    for (const Index coil : silent) {
        context.backend.fill(0, maps.slice(coil));
    }
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
