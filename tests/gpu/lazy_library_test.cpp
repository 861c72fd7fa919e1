#include "gpu/libraries/lazy_library.hpp"

#include <gmock/gmock.h>

#include "core/base/error.hpp"

namespace recon {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(LazyLibrary, AFunctionIsFoundWhenItIsAskedFor) {
    LazyLibrary library("the mathematics", "libm.so.6", "/nowhere", "nvidia-nothing");
    EXPECT_EQ(library.find<double(double)>(nullptr, "cos")(0), 1);
}

std::string message_of(LazyLibrary& library, const char* function) {
    try {
        library.find<void()>(nullptr, function);
    } catch (const BackendUnavailable& unavailable) {
        return unavailable.what();
    }
    return "nothing was thrown";
}

TEST(LazyLibrary, OneThatIsNotThereIsNamedWithItsFileAndWhatToDo) {
    LazyLibrary library("cuNothing", "libcunothing.so.13", "/nowhere", "nvidia-nothing");
    EXPECT_THAT(message_of(library, "cuNothingCreate"),
                AllOf(HasSubstr("cuNothing cannot be loaded: libcunothing.so.13: cannot open"),
                      HasSubstr("install libcunothing.so.13 (PyPI: nvidia-nothing)"), HasSubstr("LD_LIBRARY_PATH"),
                      HasSubstr("`device` cpu")));
}

TEST(LazyLibrary, PackagesOfPyPIBearTheVersionOfCudaUpToItsTwelfth) {
    EXPECT_EQ(cuda_package("cufft", 13000), "nvidia-cufft");
    EXPECT_EQ(cuda_package("cufft", 12080), "nvidia-cufft-cu12");
}

TEST(LazyLibrary, OneOfAnotherVersionLacksFunctions) {
    LazyLibrary library("the mathematics", "libm.so.6", "/nowhere", "nvidia-nothing");
    EXPECT_THAT(message_of(library, "cosine_of_tomorrow"),
                AllOf(HasSubstr("libm.so.6 has no function cosine_of_tomorrow"), HasSubstr("version")));
}

TEST(LazyLibrary, NothingIsLoadedBeforeAFunctionIsAskedFor) {
    EXPECT_NO_THROW(LazyLibrary("cuNothing", "libcunothing.so.13", "/nowhere", "nvidia-nothing"));
}

}  // namespace
}  // namespace recon
