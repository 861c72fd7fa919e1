#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace recon {

/// Has the operating system provide the memory at `begin`, that nothing was written to yet, by several threads and in
/// large pages where it can: one thread that touches page after page takes longer than to read what is put there.
/// Does nothing for little memory, or where the system does not know how.
void provide_pages(void* begin, std::size_t bytes);

/// Gives the memory at `begin`, whose values nobody needs, to the operating system until something is written there
/// again: what a vector keeps when it becomes shorter. Does nothing for little memory.
void give_back_pages(void* begin, std::size_t bytes);

/// A vector of that many numbers that are anything, its pages provided so: for those who write every one of them, and
/// would wait for zeros that nobody reads. Where the standard library does not let its length be set, they are zeros.
template <class T>
std::vector<T> unwritten_vector(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    struct Unwritten : std::vector<T> {
        explicit Unwritten(std::size_t count) {
            this->reserve(count);
            provide_pages(this->data(), count * sizeof(T));
            if constexpr (requires { this->_M_impl._M_finish; }) {  // libstdc++
                this->_M_impl._M_finish += count;
            } else {
                this->resize(count);
            }
        }
    };
    return Unwritten(count);
}

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
