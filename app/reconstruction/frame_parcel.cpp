#include "app/reconstruction/frame_parcel.hpp"

#include <variant>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Numbers one after the other, each list behind its length.
class Packing final : public Archive {
public:
    explicit Packing(std::vector<double>& parcel) : parcel_(parcel) {}
    void numbers(const std::string&, std::vector<double>& values) override {
        parcel_.push_back(static_cast<double>(values.size()));
        parcel_.insert(parcel_.end(), values.begin(), values.end());
    }
    void array(const std::string& name, ArrayView) override { throw Error("a parcel holds no array: " + name); }

private:
    std::vector<double>& parcel_;
};

class Unpacking final : public Archive {
public:
    explicit Unpacking(const std::vector<double>& parcel) : next_(parcel.data()) {}
    void numbers(const std::string&, std::vector<double>& values) override {
        const auto count = static_cast<std::size_t>(*next_);
        values.assign(next_ + 1, next_ + 1 + count);
        next_ += 1 + count;
    }
    void array(const std::string& name, ArrayView) override { throw Error("a parcel holds no array: " + name); }

private:
    const double* next_;
};

template <class T, class Visit>
void visit_list(Archive& archive, const std::string& name, std::vector<T>& list, Visit&& visit_one) {
    auto count = std::ssize(list);
    archive.count(name, count);
    list.resize(static_cast<std::size_t>(count));
    for (T& one : list) {
        visit_one(one);
    }
}

/// All but its values, which get their kind and number.
void visit_array(Archive& archive, NamedArray& array) {
    auto& [name, axes, extents, values, unit] = array;
    archive.text("extra/name", name);
    archive.text("extra/unit", unit);
    visit_list(archive, "extra/axes", axes, [&](std::string& axis) { archive.text("extra/axis", axis); });
    visit_list(archive, "extra/extents", extents, [&](Index& extent) { archive.count("extra/extent", extent); });
    auto kind = values.index();
    archive.count("extra/kind", kind);
    auto size = std::visit([](const auto& list) { return list.size(); }, values);
    archive.count("extra/size", size);
    if (kind != values.index()) {
        kind == 1 ? void(values.emplace<1>()) : void(values.emplace<2>());
    }
    std::visit([&](auto& list) { list.resize(size); }, values);
}

void visit_label(Archive& archive, FrameLabel& label) {
    auto& [contrast, repetition, set, slice, phase] = label;
    for (Index* number : {&contrast, &repetition, &set, &slice, &phase}) {
        archive.count("label", *number);
    }
}

/// The result of rank `from`, to rank 0, which has had none of that frame.
void bring_to_root(FrameResult& result, int from, ProcessGroup& group) {
    const bool sends = group.rank() == from;
    std::vector<double> parcel;
    if (sends) {
        Packing archive(parcel);
        visit(archive, result);
    }
    std::size_t size = parcel.size();
    group.copy_to_root(from, std::as_writable_bytes(std::span(&size, 1)));
    parcel.resize(size);
    group.copy_to_root(from, std::as_writable_bytes(std::span(parcel)));
    if (!sends) {
        Unpacking archive(parcel);
        visit(archive, result);
    }
    group.copy_to_root(from, std::as_writable_bytes(std::span(result.image)));
    group.copy_to_root(from, std::as_writable_bytes(std::span(result.baseline)));
    for (NamedArray& extra : result.extras) {
        std::visit([&](auto& values) { group.copy_to_root(from, std::as_writable_bytes(std::span(values))); },
                   extra.values);
    }
    if (sends) {
        result = {};
    }
}

}  // namespace

void visit(Archive& archive, MeasuredAccuracy& accuracy) {
    archive.number("accuracy/q", accuracy.q);
    archive.number("accuracy/fhd", accuracy.fhd);
    archive.number("accuracy/normal", accuracy.normal);
}

void visit(Archive& archive, EdgeLeakage& leakage) {
    auto& [edge_share, edge_share_without, edge_share_chance, agreement, part] = leakage;
    for (double* number : {&edge_share, &edge_share_without, &edge_share_chance, &agreement, &part}) {
        archive.number("leakage", *number);
    }
}

void visit(Archive& archive, AlignmentReport& report) {
    auto& [verdict, information, best, best_information, gain, far_information, far_deviation] = report;
    archive.count("alignment/verdict", verdict);
    for (double* number : {&information, &best_information, &gain, &far_information, &far_deviation}) {
        archive.number("alignment", *number);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        archive.count("placement/source_axis", best.source_axis[axis]);
        archive.count("placement/mirrored", best.mirrored[axis]);
        archive.count("placement/shift", best.shift[axis]);
    }
}

void visit(Archive& archive, PriorReport& report) {
    archive.number("prior/noise", report.noise);
    archive.number("prior/edge_scale", report.edge_scale);
    archive.optional("prior/alignment", report.alignment);
    archive.optional("prior/leakage", report.leakage);
}

void visit(Archive& archive, FrameResult& result) {
    auto& [label, image, baseline, sums, q_origin, cg, admm, lambda, scan, data_residual, findings, accuracy, prior,
           memory, tolerance, virtual_coils, extras] = result;
    visit_label(archive, label);
    archive.number("tolerance", tolerance.tolerance);
    archive.text("tolerance/source", tolerance.source);
    archive.count("virtual_coils", virtual_coils);
    auto image_size = image.size(), baseline_size = baseline.size();
    archive.count("image/size", image_size);
    archive.count("baseline/size", baseline_size);
    image.resize(image_size);
    baseline.resize(baseline_size);
    std::string sums_name(sums.name());
    archive.text("sums", sums_name);
    sums = SumsMethod::named(sums_name);
    archive.text("q_origin", q_origin);
    visit(archive, cg);
    archive.optional("admm", admm);
    archive.optional("lambda", lambda);
    archive.optional("scan", scan);
    archive.number("data_residual", data_residual);
    visit_list(archive, "findings", findings, [&](CheckFinding& finding) {
        archive.text("finding/kind", finding.kind);
        archive.text("finding/text", finding.text);
        archive.text("finding/fix", finding.fix);
    });
    archive.optional("accuracy", accuracy);
    archive.optional("prior", prior);
    visit_list(archive, "extras", extras, [&](NamedArray& extra) { visit_array(archive, extra); });
}

void gather_frames(std::vector<FrameResult>& results, const std::vector<std::vector<std::size_t>>& frames_of_groups,
                   const RankGroups& groups, ProcessGroup& processes) {
    for (int group = 1; group < groups.group_count; ++group) {
        const int from = static_cast<int>(groups.ranks_of(group).first);
        if (processes.rank() != 0 && processes.rank() != from) {
            continue;
        }
        for (const std::size_t frame : frames_of_groups.at(static_cast<std::size_t>(group))) {
            bring_to_root(results.at(frame), from, processes);
            results.at(frame).memory = results.front().memory;
        }
    }
}

}  // namespace recon
