#pragma once

#include <gtest/gtest.h>
#include <ismrmrd/dataset.h>
#include <ismrmrd/xml.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon::test {

/// Writes MRD files with the library itself, one acquisition at a time, whatever they say.
class MrdFileTest : public ::testing::Test {
protected:
    MrdFileTest() {
        ISMRMRD::Encoding encoding;
        encoding.encodedSpace.matrixSize = {16, 16, 1};
        encoding.encodedSpace.fieldOfView_mm = {200, 200, 5};
        encoding.reconSpace = encoding.encodedSpace;
        encoding.trajectory = ISMRMRD::TrajectoryType::RADIAL;
        header.encoding.push_back(encoding);
        header.experimentalConditions.H1resonanceFrequency_Hz = 0;
        ISMRMRD::SequenceParameters sequence;
        sequence.TE = std::vector<float>{2, 5};
        header.sequenceParameters = sequence;
    }

    /// 4 samples of 2 channels at k = 8 cos and sin of (angle + sample); channel c of acquisition i holds i + 100 c +
    /// sample i.
    ISMRMRD::Acquisition acquisition(int number, std::uint16_t channels = 2, std::uint16_t dimensions = 2) const {
        ISMRMRD::Acquisition result(4, channels, dimensions);
        result.sample_time_us() = 10;
        for (std::uint16_t s = 0; s < 4; ++s) {
            const float phase = static_cast<float>(number) + static_cast<float>(s);
            for (std::uint16_t d = 0; d < dimensions; ++d) {
                result.traj(d, s) = d == 0 ? 8 * std::cos(phase) : d == 1 ? 8 * std::sin(phase) : 0.25F;
            }
            for (std::uint16_t c = 0; c < channels; ++c) {
                result.data(s, c) = cfloat(static_cast<float>(number + 100 * c), static_cast<float>(s));
            }
        }
        return result;
    }

    void write(const std::vector<ISMRMRD::Acquisition>& acquisitions, const std::string& group = "dataset") const {
        std::filesystem::remove(path);
        ISMRMRD::Dataset dataset(path.c_str(), group.c_str(), true);
        std::ostringstream xml;
        ISMRMRD::serialize(header, xml);
        dataset.writeHeader(xml.str());
        for (const ISMRMRD::Acquisition& acquisition : acquisitions) {
            dataset.appendAcquisition(acquisition);
        }
    }

    template <class T>
    void append_array(const char* name, const std::vector<std::size_t>& extents, T value) const {
        ISMRMRD::Dataset dataset(path.c_str(), "dataset", true);
        ISMRMRD::NDArray<T> array(extents);
        std::fill(array.begin(), array.end(), value);
        dataset.appendNDArray(name, array);
    }

    TemporaryFolder folder;
    std::string path = folder / "scan.h5";
    ISMRMRD::IsmrmrdHeader header;
};

}  // namespace recon::test
