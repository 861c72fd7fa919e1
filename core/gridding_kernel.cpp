#include "core/gridding_kernel.hpp"
namespace recon {}
