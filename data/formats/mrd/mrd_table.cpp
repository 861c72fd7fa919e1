#include "data/formats/mrd/mrd_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/base/error.hpp"
#include "data/files/hdf5_types.hpp"

namespace recon {
namespace {

using Head = MrdAcquisitions::Head;

/// Builds a compound type member by member; HDF5 matches members by name, so files with fewer or more of them are read.
class CompoundType {
public:
    explicit CompoundType(std::size_t bytes) : type_(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose) {}
    void add(const char* name, std::size_t offset, hid_t type) { H5Tinsert(type_, name, offset, type); }
    void add(const char* name, std::size_t offset, hid_t element, hsize_t count) {
        const H5Handle array(H5Tarray_create2(element, 1, &count), H5Tclose);
        H5Tinsert(type_, name, offset, array);
    }
    H5Handle take() { return std::move(type_); }

private:
    H5Handle type_;
};

H5Handle counters_type() {
    using Counters = ISMRMRD::ISMRMRD_EncodingCounters;
    CompoundType type(sizeof(Counters));
    type.add("kspace_encode_step_1", offsetof(Counters, kspace_encode_step_1), H5T_NATIVE_UINT16);
    type.add("kspace_encode_step_2", offsetof(Counters, kspace_encode_step_2), H5T_NATIVE_UINT16);
    type.add("average", offsetof(Counters, average), H5T_NATIVE_UINT16);
    type.add("slice", offsetof(Counters, slice), H5T_NATIVE_UINT16);
    type.add("contrast", offsetof(Counters, contrast), H5T_NATIVE_UINT16);
    type.add("phase", offsetof(Counters, phase), H5T_NATIVE_UINT16);
    type.add("repetition", offsetof(Counters, repetition), H5T_NATIVE_UINT16);
    type.add("set", offsetof(Counters, set), H5T_NATIVE_UINT16);
    type.add("segment", offsetof(Counters, segment), H5T_NATIVE_UINT16);
    return type.take();
}

/// The part of the head that is used here.
H5Handle head_type() {
    CompoundType type(sizeof(Head));
    type.add("flags", offsetof(Head, flags), H5T_NATIVE_UINT64);
    type.add("number_of_samples", offsetof(Head, number_of_samples), H5T_NATIVE_UINT16);
    type.add("active_channels", offsetof(Head, active_channels), H5T_NATIVE_UINT16);
    type.add("channel_mask", offsetof(Head, channel_mask), H5T_NATIVE_UINT64, ISMRMRD::ISMRMRD_CHANNEL_MASKS);
    type.add("discard_pre", offsetof(Head, discard_pre), H5T_NATIVE_UINT16);
    type.add("discard_post", offsetof(Head, discard_post), H5T_NATIVE_UINT16);
    type.add("center_sample", offsetof(Head, center_sample), H5T_NATIVE_UINT16);
    type.add("encoding_space_ref", offsetof(Head, encoding_space_ref), H5T_NATIVE_UINT16);
    type.add("trajectory_dimensions", offsetof(Head, trajectory_dimensions), H5T_NATIVE_UINT16);
    type.add("sample_time_us", offsetof(Head, sample_time_us), H5T_NATIVE_FLOAT);
    type.add("position", offsetof(Head, position), H5T_NATIVE_FLOAT, 3);
    type.add("read_dir", offsetof(Head, read_dir), H5T_NATIVE_FLOAT, 3);
    type.add("phase_dir", offsetof(Head, phase_dir), H5T_NATIVE_FLOAT, 3);
    type.add("slice_dir", offsetof(Head, slice_dir), H5T_NATIVE_FLOAT, 3);
    type.add("idx", offsetof(Head, idx), counters_type());
    return type.take();
}

/// A table of one column: trajectory or data alone, without following the references to the other.
H5Handle record_type(MrdAcquisitions::Part part) {
    const H5Handle numbers(H5Tvlen_create(H5T_NATIVE_FLOAT), H5Tclose);
    CompoundType type(sizeof(hvl_t));
    type.add(mrd_column_of(part), 0, numbers);
    return type.take();
}

/// A table of one column: heads alone, without following the references to the samples.
H5Handle heads_type() {
    CompoundType type(sizeof(Head));
    type.add("head", 0, head_type());
    return type.take();
}

struct OpenTable {
    H5Handle dataset;
    H5Handle space;

    OpenTable(const H5File& file, const std::string& name) {
        dataset = H5Handle(h5_check(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), file.path(), "opening " + name),
                           H5Dclose);
        space = H5Handle(h5_check(H5Dget_space(dataset), file.path(), "opening " + name), H5Sclose);
    }
};

/// Selects rows of a table, in the order given.
void select_rows(hid_t space, std::span<const Index> rows, const H5File& file, const std::string& dataset) {
    const auto rank = static_cast<std::size_t>(H5Sget_simple_extent_ndims(space));
    herr_t status = 0;
    if (rows.back() - rows.front() + 1 == static_cast<Index>(rows.size())) {
        std::vector<hsize_t> start(rank, 0);
        std::vector<hsize_t> block(rank, 1);
        start[0] = static_cast<hsize_t>(rows.front());
        block[0] = rows.size();
        status = H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
    } else {
        std::vector<hsize_t> points(rank * rows.size(), 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            points[rank * i] = static_cast<hsize_t>(rows[i]);
        }
        status = H5Sselect_elements(space, H5S_SELECT_SET, rows.size(), points.data());
    }
    h5_check(status, file.path(), "selecting rows of " + dataset);
}

}  // namespace

bool is_mrd_table_there(const H5File& file, const std::string& dataset) {
    if (!file.has_dataset(dataset)) {
        return false;
    }
    const OpenTable table(file, dataset);
    const H5Handle type(H5Dget_type(table.dataset), H5Tclose);
    if (H5Tget_class(type) != H5T_COMPOUND) {
        return false;
    }
    if (!h5_type_is_sound(type)) {
        throw InputError(
            fmt::format("{}: the type of {} contradicts itself; the file is damaged", file.path(), dataset));
    }
    const int head = H5Tget_member_index(type, "head");
    const int trajectory = H5Tget_member_index(type, "traj");
    const int data = H5Tget_member_index(type, "data");
    return head >= 0 && trajectory >= 0 && data >= 0 &&
           H5Tget_member_class(type, static_cast<unsigned>(head)) == H5T_COMPOUND &&
           H5Tget_member_class(type, static_cast<unsigned>(trajectory)) == H5T_VLEN &&
           H5Tget_member_class(type, static_cast<unsigned>(data)) == H5T_VLEN;
}

Index mrd_table_bytes_there(const H5File& file, const std::string& dataset) {
    return static_cast<Index>(H5Dget_storage_size(OpenTable(file, dataset).dataset));
}

SharedBlock mrd_heads_there(const H5File& file, const std::string& dataset, const Index& count) {
    const OpenTable table(file, dataset);
    SharedBlock heads(static_cast<std::size_t>(count) * sizeof(Head));
    h5_check(H5Dread(table.dataset, heads_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, heads.bytes().data()), file.path(),
             "reading the heads of " + dataset);
    return heads;
}

MrdRecords mrd_records_there(const H5File& file, const std::string& dataset, const MrdAcquisitions::Part& part,
                             const std::vector<Index>& wanted, const std::size_t& most) {
    const OpenTable table(file, dataset);
    select_rows(table.space, wanted, file, dataset);
    const hsize_t rows = wanted.size();
    const H5Handle memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const H5Handle type = record_type(part);
    std::vector<hvl_t> records(wanted.size(), hvl_t{});
    // Gives the variable-length parts back, also if the read fails half-way.
    struct Reclaim {
        hid_t type, space;
        hvl_t* records;
        ~Reclaim() { H5Dvlen_reclaim(type, space, H5P_DEFAULT, records); }
    } const reclaim{type, memory, records.data()};
    h5_check(H5Dread(table.dataset, type, memory, table.space, H5P_DEFAULT, records.data()), file.path(),
             fmt::format("reading acquisitions {} to {} of {}", wanted.front(), wanted.back(), dataset));
    MrdRecords result;
    std::size_t total = 0;
    for (const hvl_t& record : records) {
        result.lengths.push_back(record.len);
        total = record.len > most - total ? most + 1 : total + record.len;
        if (total > most) {
            return result;
        }
    }
    result.numbers = SharedBlock(total * sizeof(float));
    auto to = result.numbers.as<float>().begin();
    for (const hvl_t& record : records) {
        to = std::copy_n(static_cast<const float*>(record.p), record.len, to);
    }
    return result;
}

}  // namespace recon
