#include "app/heart/heart_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.hpp"

namespace recon::heart {
namespace {

struct Parameter {
    const char* name;
    double ExcitationModel::*value;
};

constexpr Parameter parameters[] = {{"a", &ExcitationModel::a},
                                    {"b", &ExcitationModel::b},
                                    {"k", &ExcitationModel::k},
                                    {"M1", &ExcitationModel::m1},
                                    {"M2", &ExcitationModel::m2},
                                    {"epsilon", &ExcitationModel::epsilon},
                                    {"diffusion", &ExcitationModel::diffusion}};

constexpr const char* frame_arrays[] = {"/excitation", "/recovery"};

}  // namespace

HeartFile::HeartFile(const std::string& path, const ExcitationSetup& setup, Index frame_count,
                     const EarlierFrames& earlier)
    : output_(path), file_(H5File::create(output_.temporary_path())), frame_count_(frame_count) {
    file_.create_group("/model");
    for (const Parameter& parameter : parameters) {
        file_.write_attribute("/model", parameter.name, setup.model.*parameter.value);
    }
    file_.write_attribute("/model", "size", setup.size);
    file_.write_attribute("/model", "dt", setup.time_step);
    file_.write_attribute("/model", "precision", std::string(name_of(setup.precision)));
    std::optional<H5File> earlier_file;
    Index earlier_count = 0;
    if (!earlier.path.empty()) {
        earlier_file.emplace(H5File::open(earlier.path));
        const std::vector<Index> steps =
            earlier_file->has_dataset("/step") ? earlier_file->read<Index>("/step") : std::vector<Index>();
        earlier_count = std::ranges::lower_bound(steps, earlier.before_step) - steps.begin();
        frame_count_ += earlier_count;
    }
    if (frame_count_ > 0) {
        for (const char* name : frame_arrays) {
            file_.create_dataset<float>(name, {frame_count_, setup.size, setup.size});
            file_.write_attribute(name, "axes", std::vector<std::string>{"frame", "row", "column"});
        }
    }
    if (earlier_count > 0) {
        add_earlier(*earlier_file, earlier_count);
    }
}

void HeartFile::add_earlier(const H5File& file, Index count) {
    for (Index frame = 0; frame < count; ++frame) {
        for (const char* name : frame_arrays) {
            file_.write_rows(name, frame, std::span<const float>(file.read_rows<float>(name, frame, 1)));
        }
    }
    steps_ = file.read_rows<Index>("/step", 0, count);
    times_ = file.read_rows<double>("/time", 0, count);
}

void HeartFile::add_frame(const ExcitationState& state, Index step, double time) {
    const auto number = static_cast<Index>(steps_.size());
    const std::vector<float> excitation(state.excitation.begin(), state.excitation.end());
    const std::vector<float> recovery(state.recovery.begin(), state.recovery.end());
    file_.write_rows("/excitation", number, std::span<const float>(excitation));
    file_.write_rows("/recovery", number, std::span<const float>(recovery));
    steps_.push_back(step);
    times_.push_back(time);
}

void HeartFile::finish(const ExcitationState& state, Index step, const std::string& run_record) {
    if (frame_count_ > 0) {
        file_.write("/step", steps_);
        file_.write("/time", times_);
    }
    file_.write("/last/excitation", {state.size, state.size}, state.excitation);
    file_.write("/last/recovery", {state.size, state.size}, state.recovery);
    file_.write_scalar("/last/step", step);
    file_.write_scalar("/run", run_record);
    file_.close();
    output_.commit();
}

Index read_last_state(const std::string& path, const ExcitationSetup& setup, Excitation& sheet) {
    const H5File file = H5File::open(path);
    const auto size = file.read_attribute_scalar<Index>("/model", "size");
    if (size != setup.size) {
        throw InputError(fmt::format("{}: a sheet of {} x {} cells, expected {} x {} (`size`)", path, size, size,
                                     setup.size, setup.size));
    }
    const auto expect = [&](const char* name, double expected) {
        const auto found = file.read_attribute_scalar<double>("/model", name);
        if (!(std::abs(found - expected) <= 1e-15 * std::abs(expected))) {
            throw InputError(fmt::format("{}: {} is {:.17g}, expected {:.17g}", path, name, found, expected));
        }
    };
    for (const Parameter& parameter : parameters) {
        expect(parameter.name, setup.model.*parameter.value);
    }
    expect("dt", setup.time_step);
    ExcitationState state;
    state.size = size;
    state.excitation = file.read<double>("/last/excitation");
    state.recovery = file.read<double>("/last/recovery");
    const auto count = static_cast<std::size_t>(size * size);
    const std::vector<Index> step = file.read<Index>("/last/step");
    if (state.excitation.size() != count || state.recovery.size() != count || step.size() != 1 || step[0] < 0) {
        throw InputError(fmt::format("{}: the last state is not that of {} x {} cells", path, size, size));
    }
    // Runs of the model stay well within these (E from 0 to 1, R below 4); others would end in what is not finite.
    constexpr double most = 100;
    for (const std::vector<double>* const values : {&state.excitation, &state.recovery}) {
        const auto wrong = std::ranges::find_if(*values, [](double v) { return !(std::abs(v) <= most); });
        if (wrong != values->end()) {
            throw InputError(
                fmt::format("{}: the last state holds {:g}, expected numbers of at most {:g}", path, *wrong, most));
        }
    }
    sheet.set_state(state);
    return step[0];
}

}  // namespace recon::heart
