// What is parsed in memory: texts within files, arrays of NumPy.
#include "core/base/error.hpp"
#include "core/mri/check/scan_fix.hpp"
#include "data/formats/mrd/mrd_header.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/npy/zip_archive.hpp"
#include "data/reading/scan/frame_selection.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace recon::test {
namespace {

using Texts = std::vector<std::string>;

/// What a fix says of itself is read as the same fix.
void parse_fixes(const std::string& text) {
    for (const ScanFix& fix : parse_scan_fixes(text)) {
        if (parse_scan_fixes(fix.text()).at(0).text() != fix.text()) {
            throw Error("a fix is not read back: " + fix.text());
        }
    }
}

const char* const mrd_header_seed =
    "<?xml version=\"1.0\"?><ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\"><experimentalConditions>"
    "<H1resonanceFrequency_Hz>63500000</H1resonanceFrequency_Hz></experimentalConditions><encoding><encodedSpace>"
    "<matrixSize><x>64</x><y>64</y><z>1</z></matrixSize><fieldOfView_mm><x>220</x><y>220</y><z>5</z></fieldOfView_mm>"
    "</encodedSpace><reconSpace><matrixSize><x>64</x><y>64</y><z>1</z></matrixSize><fieldOfView_mm><x>220</x><y>220</y>"
    "<z>5</z></fieldOfView_mm></reconSpace><encodingLimits><kspace_encoding_step_1><minimum>0</minimum><maximum>63"
    "</maximum><center>32</center></kspace_encoding_step_1></encodingLimits><trajectory>spiral</trajectory></encoding>"
    "<sequenceParameters><TE>4.2</TE></sequenceParameters><userParameters><userParameterString><name>trajectory_unit"
    "</name><value>rad/m</value></userParameterString></userParameters></ismrmrdHeader>";

Texts npy_seeds() {
    const std::vector<cfloat> complex(12, cfloat(1, 2));
    const std::vector<double> real(6, 0.5);
    Texts seeds;
    for (const std::vector<std::byte>& bytes :
         {npy_bytes<cfloat>({3, 4}, complex), npy_bytes<double>({2, 3}, real), npy_text_bytes("cycles/FOV")}) {
        seeds.push_back(text_of_bytes(bytes));
    }
    return seeds;
}

void parse_npz(Bytes bytes) {
    const ZipArchive archive({bytes.begin(), bytes.end()}, "fuzz.npz");
    for (const std::string& name : archive.names()) {
        try {
            const std::vector<std::byte> member = archive.read(name);
            is_npy(member) ? static_cast<void>(parse_npy(member, name)) : static_cast<void>(0);
        } catch (const InputError&) {  // the next may be sound
        }
    }
}

Texts npz_seeds() {
    const std::vector<double> real(6, 0.5);
    return {text_of_bytes(
        zip_bytes({{"a.npy", npy_bytes<double>({2, 3}, real)}, {"b.npy", npy_text_bytes("rad/m")}}, "seed.npz"))};
}

}  // namespace

std::vector<FuzzTarget> text_targets() {
    return {
        text_target("select", [](const std::string& text) { FrameSelection(text).selects({.slice = 3}); },
                    {"contrast=0,slice=2-4", "repetition=1"}),
        text_target("fix", parse_fixes,
                    {"conjugate,swap=xy", "shift=-1", "reverse=alternate", "scale=0.5", "maps-order=2-0-1",
                     "maps-mirror=y,maps-conjugate,mirror=xz"}),
        text_target("mrd_header", [](const std::string& xml) { parse_mrd_header(xml, "fuzz.h5"); }, {mrd_header_seed}),
        {"npy", [](Bytes bytes) { parse_npy(bytes, "fuzz.npy"); }, npy_seeds},
        {"npy_text", [](Bytes bytes) { parse_npy_text(bytes, "fuzz.npy"); }, npy_seeds},
        {"npz", parse_npz, npz_seeds},
    };
}

}  // namespace recon::test
