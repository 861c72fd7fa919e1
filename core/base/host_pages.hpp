#pragma once

#include <cstddef>
#include <vector>

namespace recon {

/// Has the operating system provide the memory at `begin`, that nothing was written to yet, by several threads and in
/// large pages where it can: one thread that touches page after page takes longer than to read what is put there.
/// Does nothing for little memory, or where the system does not know how.
void provide_pages(void* begin, std::size_t bytes);

/// A vector of that many zeros, its pages provided so.
template <class T>
std::vector<T> vector_of_provided_pages(std::size_t count) {
    std::vector<T> values;
    values.reserve(count);
    provide_pages(values.data(), count * sizeof(T));
    values.resize(count);
    return values;
}

}  // namespace recon
