#include "data/formats/dicom/dicom_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/mri/slice_stack.hpp"
#include "data/formats/dicom/dicom_series.hpp"
#include "data/reading/scan/scan_checks.hpp"

namespace recon {
namespace {

PerAxis<double> normal_of(const PerAxis<double>& a, const PerAxis<double>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// What a frame says of its voxels.
struct DicomSlice {
    std::vector<double> position_mm, directions;  ///< 3 and 6 numbers, as the file has them; empty: unknown
    PerAxis<double> voxel_mm{};                   ///< 0 where unknown
    Index in_stack = 0, time = 0;                 ///< counted from 1; 0: unknown
};

double first_of(const std::vector<double>& numbers) { return numbers.empty() ? 0 : numbers.front(); }

DicomSlice slice_of(const DicomFile& file, Index frame) {
    const auto numbers = [&](const DcmTagKey& group, const DcmTagKey& tag, std::size_t how_many) {
        std::vector<double> found = file.numbers(frame, group, tag);
        return found.size() == how_many ? found : std::vector<double>{};
    };
    DicomSlice slice;
    slice.position_mm = numbers(DCM_PlanePositionSequence, DCM_ImagePositionPatient, 3);
    slice.directions = numbers(DCM_PlaneOrientationSequence, DCM_ImageOrientationPatient, 6);
    if (const auto spacing = numbers(DCM_PixelMeasuresSequence, DCM_PixelSpacing, 2); !spacing.empty()) {
        slice.voxel_mm = {spacing[1], spacing[0], 0};  // between rows first
    }
    slice.voxel_mm[2] = first_of(numbers(DCM_PixelMeasuresSequence, DCM_SliceThickness, 1));
    slice.in_stack = static_cast<Index>(first_of(numbers(DCM_FrameContentSequence, DCM_InStackPositionNumber, 1)));
    slice.time = static_cast<Index>(first_of(numbers(DCM_FrameContentSequence, DCM_TemporalPositionIndex, 1)));
    return slice;
}

std::optional<Orientation> place_of(const DicomSlice& slice, const PerAxis<Index>& matrix_size) {
    if (slice.position_mm.empty() || slice.directions.empty()) {
        return std::nullopt;
    }
    Orientation place;
    for (std::size_t i = 0; i < 3; ++i) {
        place.x_direction[i] = slice.directions[i];
        place.y_direction[i] = slice.directions[i + 3];
        place.centre_mm[i] = slice.position_mm[i] +
                             static_cast<double>(matrix_size[0] / 2) * slice.voxel_mm[0] * slice.directions[i] +
                             static_cast<double>(matrix_size[1] / 2) * slice.voxel_mm[1] * slice.directions[i + 3];
    }
    place.z_direction = normal_of(place.x_direction, place.y_direction);
    return is_usable(place) ? std::optional(place) : std::nullopt;
}

/// Slices of one size, with the values of all of them: an image of as many frames.
struct DicomSlices {
    std::vector<DicomSlice> slices;
    Image image;
};

DicomSlices slices_of(const std::vector<DicomFile>& files) {
    DicomSlices all;
    Geometry& geometry = all.image.geometry;
    all.image.frames.clear();
    for (const DicomFile& file : files) {
        const PerAxis<Index> size = file.matrix_size();
        if (!all.slices.empty() && size != geometry.matrix_size) {
            throw InputError(fmt::format("{}: has {} x {} pixels, expected {} x {} as in {}", file.path(), size[0],
                                         size[1], geometry.matrix_size[0], geometry.matrix_size[1],
                                         files.front().path()));
        }
        geometry.matrix_size = size;
        const std::vector<float> values = file.values();
        all.image.voxels.insert(all.image.voxels.end(), values.begin(), values.end());
        for (Index frame = 0; frame < file.frame_count(); ++frame) {
            all.slices.push_back(slice_of(file, frame));
            all.image.frames.push_back({FrameLabel{}, place_of(all.slices.back(), size)});
        }
    }
    // Spacings of 1 mm without a place are what writers put where they know none.
    const DicomSlice& first = all.slices.front();
    const bool is_placeholder = first.position_mm.empty() && first.voxel_mm == PerAxis<double>{1, 1, 1};
    for (std::size_t axis = 0; axis < 3 && !is_placeholder; ++axis) {
        geometry.field_of_view_mm[axis] =
            std::max(0.0, first.voxel_mm[axis]) * static_cast<double>(geometry.matrix_size[axis]);
    }
    return all;
}

/// Slices without places: a volume for each time.
Image volumes_of(DicomSlices all) {
    const auto count = static_cast<Index>(all.slices.size());
    std::vector<std::size_t> order(all.slices.size());
    std::ranges::generate(order, [next = std::size_t{0}]() mutable { return next++; });
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return std::pair(all.slices[i].time, all.slices[i].in_stack); });
    Index times = 1;
    for (std::size_t i = 1; i < order.size(); ++i) {
        times += all.slices[order[i]].time != all.slices[order[i - 1]].time ? 1 : 0;
    }
    Image& image = all.image;
    const Index voxel_count = image.voxel_count();
    std::vector<cfloat> voxels;
    for (const std::size_t i : order) {
        const auto from = image.voxels.begin() + static_cast<Index>(i) * voxel_count;
        voxels.insert(voxels.end(), from, from + voxel_count);
    }
    image.voxels = std::move(voxels);
    const Index slices = count % times == 0 ? count / times : count;
    image.geometry.field_of_view_mm[2] *= static_cast<double>(slices);
    image.geometry.matrix_size[2] = slices;
    image.frames.assign(static_cast<std::size_t>(count / slices), ImageFrame{});
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        image.frames[static_cast<std::size_t>(frame)].label.repetition = frame;
    }
    return std::move(image);
}

/// Labels slices by their places, counted as they come, and by how many there were before in the same one.
void label_by_place(DicomSlices& all) {
    std::map<std::pair<std::vector<double>, std::vector<double>>, std::pair<Index, Index>> known;
    for (std::size_t i = 0; i < all.slices.size(); ++i) {
        const DicomSlice& slice = all.slices[i];
        const auto next = static_cast<Index>(known.size());
        auto& [place, before] = known.try_emplace({slice.position_mm, slice.directions}, next, 0).first->second;
        all.image.frames[i].label = {.repetition = before++, .slice = place};
    }
}

}  // namespace

bool looks_like_dicom(const std::string& path) {
    std::error_code failed;
    if (!std::filesystem::is_directory(path, failed)) {
        return DicomFile::looks_like_one(path);
    }
    const std::filesystem::directory_iterator entries(path, failed), end;
    return std::any_of(entries, end, [](const std::filesystem::directory_entry& entry) {
        std::error_code ignored;
        return entry.is_regular_file(ignored) && DicomFile::looks_like_one(entry.path().string());
    });
}

Image read_dicom(const std::string& path, const std::string& series) {
    DicomSlices all = slices_of(dicom_series(path, series));
    Image& image = all.image;
    const bool is_placed =
        std::ranges::all_of(image.frames, [](const ImageFrame& f) { return f.orientation.has_value(); });
    if (!is_placed) {
        image = volumes_of(std::move(all));
    } else {
        label_by_place(all);
        if (std::optional<Image> stacked = stack_slices(image)) {
            image = *std::move(stacked);
        } else {
            image.geometry.orientation = image.frames.front().orientation;
        }
    }
    check_matrix_size(image.geometry.matrix_size, path);
    return std::move(image);
}

}  // namespace recon
