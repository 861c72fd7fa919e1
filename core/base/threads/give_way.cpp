#include "core/base/threads/give_way.hpp"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace recon {

void give_way_to_other_threads() {
#ifdef __linux__
    constexpr int nice = 10;             // a tenth of the time of a processor that another thread wants
    setpriority(PRIO_PROCESS, 0, nice);  // of the calling thread: Linux numbers threads as POSIX does processes
#endif
}

}  // namespace recon
