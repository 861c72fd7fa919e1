#include "app/report/bids_sidecar.hpp"

#include <gtest/gtest.h>

#include "data/reading/scan_reader.hpp"
#include "tests/support/mrd_file_test.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

class BidsSidecar : public test::MrdFileTest {
protected:
    RunRecord of_scan(Index frames = 1) const {
        const Scan scan = read_scan(path);
        RunRecord record{{"version", "1.2.3"}, {"command", "recon scan.h5"}, {"options", {{"scan", "scan.h5"}}}};
        record["measurement"] = measurement_record(scan);
        Image image;
        image.geometry = scan.geometry;
        image.frames.resize(static_cast<std::size_t>(frames));
        return bids_sidecar(record, image);
    }
};

TEST_F(BidsSidecar, HasWhatAnMrdHeaderSaysInTheUnitsOfBids) {
    header.experimentalConditions.H1resonanceFrequency_Hz = 123'200'000;
    header.acquisitionSystemInformation = ISMRMRD::AcquisitionSystemInformation();
    header.acquisitionSystemInformation->systemVendor = std::string("SIEMENS");
    header.acquisitionSystemInformation->systemFieldStrength_T = 2.89F;
    header.sequenceParameters->TR = std::vector<float>{500};
    header.sequenceParameters->TI = std::vector<float>{900};
    header.sequenceParameters->flipAngle_deg = std::vector<float>{15};
    header.measurementInformation = ISMRMRD::MeasurementInformation();
    header.measurementInformation->patientPosition = "HFS";
    header.measurementInformation->protocolName = std::string("spiral");
    write({acquisition(0)});
    const RunRecord sidecar = of_scan();
    EXPECT_EQ(sidecar["MagneticFieldStrength"], 2.89);
    EXPECT_DOUBLE_EQ(sidecar["ImagingFrequency"], 123.2);
    EXPECT_EQ(sidecar["Manufacturer"], "SIEMENS");
    EXPECT_EQ(sidecar["ProtocolName"], "spiral");
    EXPECT_EQ(sidecar["EchoTime"], 0.002);
    EXPECT_EQ(sidecar["RepetitionTime"], 0.5);
    EXPECT_EQ(sidecar["RepetitionTimeExcitation"], 0.5);
    EXPECT_EQ(sidecar["InversionTime"], 0.9);
    EXPECT_EQ(sidecar["FlipAngle"], 15);
    EXPECT_NEAR(sidecar["DwellTime"], 10e-6, 1e-9);
    EXPECT_EQ(sidecar["MRAcquisitionType"], "2D");
    EXPECT_EQ(sidecar["SliceThickness"], 5);
    EXPECT_EQ(sidecar["GeneratedBy"][0]["Version"], "1.2.3");
    EXPECT_EQ(sidecar["Sources"][0], "scan.h5");
    EXPECT_FALSE(of_scan(3).contains("RepetitionTime")) << "of volumes, which nobody knows";
}

TEST_F(BidsSidecar, SaysNothingOfWhatIsUnknown) {
    header.sequenceParameters->TE = std::vector<float>{};
    header.sequenceParameters->TR = std::vector<float>{0};
    header.encoding[0].encodedSpace.fieldOfView_mm = {0, 0, 0};
    ISMRMRD::Acquisition timeless = acquisition(0);
    timeless.sample_time_us() = 0;
    write({timeless});
    const RunRecord sidecar = of_scan();
    for (const char* unknown : {"EchoTime", "RepetitionTime", "RepetitionTimeExcitation", "DwellTime", "FlipAngle",
                                "MagneticFieldStrength", "ImagingFrequency", "Manufacturer", "SliceThickness"}) {
        EXPECT_FALSE(sidecar.contains(unknown)) << unknown;
    }
}

TEST_F(BidsSidecar, HasTheEchoTimesOfTheContrastsThatAreThere) {
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(1)};
    all[1].idx().contrast = 1;
    write(all);
    EXPECT_EQ(of_scan(2)["EchoTime"], nlohmann::json({0.002, 0.005}));
    write({all[1]});
    EXPECT_EQ(of_scan()["EchoTime"], 0.005);
}

}  // namespace
}  // namespace recon
