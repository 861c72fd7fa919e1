#include "data/formats/mrd/stream/mrd_stream_scan.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/files/write_bytes.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"
#include "data/formats/mrd/mrd_header.hpp"
#include "data/formats/mrd/mrd_scan_builder.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/mrd/stream/mrd_stream.hpp"
#include "data/formats/mrd/stream/mrd_stream_output.hpp"

namespace recon {
namespace {

class StreamAcquisitions final : public MrdAcquisitions {
public:
    explicit StreamAcquisitions(const std::string& path) : stream_(path) { heads_ = stream_.acquisitions(); }

    const MrdStream& stream() const { return stream_; }

    void visit(std::span<const Index> wanted, Part part, const Visit& visit) const override {
        constexpr std::size_t between_checks = 1024;
        for (std::size_t place = 0; place < wanted.size(); ++place) {
            if (place % between_checks == 0) {
                cancel_of_this_thread().check();
            }
            const Head& head = heads_[static_cast<std::size_t>(wanted[place])];
            const std::size_t trajectory = stream_.acquisition_offset(wanted[place]);
            const std::size_t bytes = announced_bytes(head, part);
            if (part == Part::trajectory) {
                visit(place, stream_.read<float>(trajectory, bytes / sizeof(float)), {});
            } else {
                const std::size_t data = trajectory + announced_bytes(head, Part::trajectory);
                visit(place, {}, stream_.read<cfloat>(data, bytes / sizeof(cfloat)));
            }
        }
    }

private:
    MrdStream stream_;
};

class StreamSink final : public MrdSink {
public:
    void header(const std::string& xml) override { output_.text(MrdMessage::header, xml); }
    void acquisition(const ISMRMRD::Acquisition& acquisition) override {
        const ISMRMRD::AcquisitionHeader& head = acquisition.getHead();
        output_.begin(MrdMessage::acquisition);
        output_.append(&head, sizeof(MrdAcquisitions::Head));
        output_.append(acquisition.getTrajPtr(),
                       MrdAcquisitions::announced_bytes(head, MrdAcquisitions::Part::trajectory));
        output_.append(acquisition.getDataPtr(), MrdAcquisitions::announced_bytes(head, MrdAcquisitions::Part::data));
    }
    void array(const char* name, const std::vector<Index>&, const std::vector<cfloat>&) override { leave_out(name); }
    void array(const char* name, const std::vector<Index>&, const std::vector<float>&) override { leave_out(name); }
    MrdStreamOutput& output() { return output_; }

private:
    static void leave_out(const char* name) {
        log_warning("{}: left out; arrays have no names in a stream of MRD", name);
    }
    MrdStreamOutput output_;
};

}  // namespace

StoredScan MrdStreamReader::read(const ScanReadOptions& options) const {
    const auto acquisitions = std::make_shared<const StreamAcquisitions>(path_);
    const MrdStream& stream = acquisitions->stream();
    if (stream.header().empty() || stream.acquisitions().empty()) {
        throw InputError(fmt::format("{}: this stream holds {} header and {} acquisitions, no scan", path_,
                                     stream.header().empty() ? "no" : "a", stream.acquisitions().size()));
    }
    if (!options.field_map_name.empty()) {
        throw InputError(fmt::format("{}: a stream has no field map named {}", path_, options.field_map_name));
    }
    const ISMRMRD::IsmrmrdHeader header = parse_mrd_header(stream.header(), path_);
    const MrdSorting sorting = sort_acquisitions(acquisitions->heads(), header, options.encoding_space, path_);
    StoredScan stored = build_mrd_scan(path_, acquisitions, header, sorting, options);
    stored.scan.format = format();
    if (!stream.is_closed()) {
        log_warning("{}: the stream was not closed; there may be acquisitions missing", path_);
    }
    return stored;
}

void write_mrd_stream(const Scan& scan, const std::string& path) {
    StreamSink sink;
    write_mrd(scan, path, sink);
    sink.output().begin(MrdMessage::close);
    write_bytes(path, sink.output().bytes());
}

}  // namespace recon
