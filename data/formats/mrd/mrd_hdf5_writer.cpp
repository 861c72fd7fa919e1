#include <fmt/format.h>
#include <ismrmrd/dataset.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"
#include "data/formats/mrd/mrd_writer.hpp"

namespace recon {
namespace {

/// An HDF5 file as libismrmrd writes it.
class Hdf5Sink final : public MrdSink {
public:
    explicit Hdf5Sink(const std::string& file) : dataset_((be_quiet(), file.c_str()), "dataset", true) {}
    void header(const std::string& xml) override { dataset_.writeHeader(xml); }
    void acquisition(const ISMRMRD::Acquisition& acquisition) override { dataset_.appendAcquisition(acquisition); }
    void array(const char* name, const std::vector<Index>& extents, const std::vector<cfloat>& values) override {
        append(name, extents, values);
    }
    void array(const char* name, const std::vector<Index>& extents, const std::vector<float>& values) override {
        append(name, extents, values);
    }

private:
    /// The library prints HDF5's whole stack for an error that it throws.
    static void be_quiet() { ISMRMRD::ismrmrd_set_error_handler(nullptr); }

    template <class T>
    void append(const char* name, const std::vector<Index>& extents, const std::vector<T>& values) {
        ISMRMRD::NDArray<T> array(std::vector<std::size_t>(extents.begin(), extents.end()));  // first axis fastest
        std::copy(values.begin(), values.end(), array.getDataPtr());
        dataset_.appendNDArray(name, array);
    }
    ISMRMRD::Dataset dataset_;
};

/// Of the library's text, which is HDF5's whole stack: what the system said, else its first line.
std::string reason_in(const std::string& text) {
    constexpr std::string_view before = "error message = '";
    const std::size_t found = text.find(before);
    if (found != std::string::npos) {
        const std::size_t first = found + before.size();
        return text.substr(first, text.find('\'', first) - first);
    }
    return text.substr(0, text.find('\n'));
}

}  // namespace

void write_mrd(const Scan& scan, const std::string& path) {
    AtomicOutput output(path);
    std::filesystem::remove(output.temporary_path());  // the library opens what exists, and an empty file is no HDF5
    try {
        Hdf5Sink sink(output.temporary_path());
        write_mrd(scan, path, sink);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw InputError(fmt::format("{}: writing MRD failed: {}", path, reason_in(error.what())));
    }
    output.commit();
}

}  // namespace recon
