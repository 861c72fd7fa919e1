#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "core/base/types.hpp"

namespace recon {

/// What contents are known by: equal digests mean equal contents for all purposes here. SHA-256 [FIPS 180-4].
using Digest = std::array<std::byte, 32>;

/// 64 hexadecimal digits.
std::string text_of(const Digest& digest);

/// The SHA-256 digest of everything added, in order. @throws Error if the library refuses
class ContentHash {
public:
    ContentHash();
    ~ContentHash();
    ContentHash(const ContentHash&) = delete;
    ContentHash& operator=(const ContentHash&) = delete;

    void add_bytes(std::span<const std::byte> bytes);
    /// A number. (No structures: the bytes between their members are anything.)
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void add(T value) { add_bytes(std::as_bytes(std::span(&value, 1))); }
    void add(const std::string& text);
    void add(const Digest& digest) { add_bytes(digest); }
    /// A list of numbers; its pieces are hashed by all threads.
    template <class T>
    void add_list(std::span<const T> values) {
        add(static_cast<Index>(values.size()));
        add_pieces(std::as_bytes(values));
    }

    /// Ends the hash: call it once.
    Digest digest();

private:
    void add_pieces(std::span<const std::byte> bytes);

    struct Context;
    std::unique_ptr<Context> context_;
};

}  // namespace recon
