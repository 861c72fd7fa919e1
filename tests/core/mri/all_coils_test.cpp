// Coils that processes hold parts of, with threads that share nothing in their place: what one process finds.
#include <gtest/gtest.h>

#include <thread>

#include "core/mri/all_coils.hpp"
#include "core/mri/check/coils/coil_noise.hpp"
#include "core/mri/check/dead_parts.hpp"
#include "core/mri/check/spikes.hpp"
#include "core/mri/echo_centre.hpp"
#include "core/mri/kspace_excerpt.hpp"
#include "core/processes/process_communicator.hpp"
#include "tests/support/loopback_transport.hpp"
#include "tests/support/random.hpp"
#include "tests/support/scans/scan_in_parts.hpp"

namespace recon {
namespace {

constexpr Index coils = 5;

Scan whole_scan() {
    Scan scan = test::sample_scan({.coils = coils, .readouts = 20, .samples = 40});
    std::vector<cfloat>& kspace = scan.frames[0].kspace;
    std::fill(kspace.begin() + 2 * 800, kspace.begin() + 3 * 800, cfloat(0));  // coil 2
    for (Index coil = 0; coil < coils; ++coil) {
        std::fill_n(kspace.begin() + coil * 800 + 7 * 40, 40, cfloat(0));  // readout 7
    }
    return scan;
}

/// On each of so many processes, with its part of the scan.
void on_each(int size, const std::function<void(Scan&, Communicator&)>& work) {
    const auto groups = test::make_loopback_groups(size);
    std::vector<std::jthread> threads;
    for (const auto& group : groups) {
        threads.emplace_back([&, &group = *group] {
            const auto ranks = make_process_communicator(group);
            Scan scan = test::scan_in_parts(whole_scan());
            hold_part(scan, *ranks);
            scan.frames[0].load();
            work(scan, *ranks);
            group.end({}, [](const std::string& line) { ADD_FAILURE() << line; });
        });
    }
}

TEST(AllCoils, OfPartsGiveWhatOneProcessFinds) {
    const Scan whole = whole_scan();
    const Frame& frame = whole.frames[0];
    const AllCoils expected(whole, frame.kspace);
    const std::vector<Index> some{3, 700, 41};
    const auto energy = [](std::span<const cfloat> coil) {
        double sum = 0;
        for (const cfloat value : coil) {
            sum += std::norm(value);
        }
        return sum;
    };
    for (const int size : {2, 3, 5}) {
        on_each(size, [&](Scan& scan, Communicator& ranks) {
            const Share own = share_of(coils, ranks);
            const Frame& part = scan.frames[0];
            ASSERT_EQ(std::ssize(part.kspace), own.count * 800);
            ASSERT_EQ(std::ssize(scan.coil_maps), own.count * 90);
            const AllCoils found(scan, part.kspace);
            EXPECT_EQ(found.everything(), frame.kspace);
            EXPECT_EQ(found.at(some), expected.at(some));
            EXPECT_EQ(found.of_each(energy), expected.of_each(energy));
            EXPECT_EQ(AllCoils(scan, scan.coil_maps).everything(), whole.coil_maps);
            EXPECT_EQ(coils_of_zeros(found), std::vector<Index>{2});
            EXPECT_EQ(readouts_of_zeros(found, 40), std::vector<Index>{7});
            const PerAxis<Index> matrix = whole.geometry.matrix_size;
            EXPECT_EQ(find_spikes(found, *frame.trajectory, matrix, 40),
                      find_spikes(expected, *frame.trajectory, matrix, 40));
            EXPECT_EQ(echo_centre(*frame.trajectory, found, matrix), echo_centre(*frame.trajectory, expected, matrix));
            EXPECT_EQ(coil_noise(found, *frame.trajectory, matrix, 40).sigma,
                      coil_noise(expected, *frame.trajectory, matrix, 40).sigma);
            EXPECT_EQ(KspaceExcerpt::of(found, *frame.trajectory, 40, 200).kspace,
                      KspaceExcerpt::of(expected, *frame.trajectory, 40, 200).kspace);
        });
    }
}

TEST(AllCoils, ThatAreLeftOutLeaveTheOthersSharedOutAgain) {
    Scan expected = whole_scan();
    const std::vector<Index> dropped{0, 2};
    drop_coils(expected, dropped);
    for (const int size : {2, 3, 4}) {  // of four, none has coils of its own then
        on_each(size, [&](Scan& scan, Communicator&) {
            drop_coils(scan, dropped);
            EXPECT_EQ(scan.coil_count, 3);
            EXPECT_EQ(scan.parts == nullptr, size == 4);
            scan.frames[0].load();
            EXPECT_EQ(AllCoils(scan, scan.frames[0].kspace).everything(), expected.frames[0].kspace);
            EXPECT_EQ(AllCoils(scan, scan.coil_maps).everything(), expected.coil_maps);
            EXPECT_EQ(scan.noise, expected.noise);
        });
    }
}

TEST(AllCoils, ThatAreMixedAreSumsOfAll) {
    const Scan whole = whole_scan();
    std::vector<cdouble> matrix(coils * coils);
    for (Index i = 0; i < coils * coils; ++i) {
        matrix[static_cast<std::size_t>(i)] = cdouble(1.0 / static_cast<double>(i + 1), i % coils > 2 ? 0.5 : 0);
    }
    const std::vector<cfloat>& kspace = whole.frames[0].kspace;
    std::vector<cdouble> expected(kspace.size());
    for (Index to = 0; to < coils; ++to) {
        for (Index from = 0; from < coils; ++from) {
            for (Index m = 0; m < 800; ++m) {
                expected[static_cast<std::size_t>(to * 800 + m)] +=
                    matrix[static_cast<std::size_t>(from * coils + to)] *
                    cdouble(kspace[static_cast<std::size_t>(from * 800 + m)]);
            }
        }
    }
    on_each(3, [&](Scan& scan, Communicator&) {
        mix_coils_of_parts(scan, matrix);
        scan.frames[0].load();
        const std::vector<cfloat> found = AllCoils(scan, scan.frames[0].kspace).everything();
        constexpr double rounding = 3 * coils * 0x1p-24;  // of the factor, the product and the sum, for each coil
        EXPECT_LT(test::relative_difference({found.begin(), found.end()}, expected), rounding);
    });
}

}  // namespace
}  // namespace recon
