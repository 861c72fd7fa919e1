#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/files/reading_process/shared_block.hpp"

namespace recon {

/// A type whose members are sent one after the other: message_members(value) is a std::tie of them.
template <class T>
concept HasMessageMembers = requires(T& value) {
    message_members(value);
};

/// Values as bytes for another process of this program: numbers, texts, lists of these, types with message_members,
/// and one SharedBlock.
class MessageWriter {
public:
    template <class T>
    void put(const T& value) {
        if constexpr (HasMessageMembers<const T>) {
            std::apply([this](const auto&... members) { (this->put(members), ...); }, message_members(value));
        } else {
            static_assert(std::is_trivially_copyable_v<T>);
            put_bytes(&value, sizeof(T));
        }
    }
    void put(const std::string& text) {
        put(text.size());
        put_bytes(text.data(), text.size());
    }
    template <class T>
    void put(const std::vector<T>& list) {
        put(list.size());
        if constexpr (std::is_trivially_copyable_v<T>) {
            put_bytes(list.data(), list.size() * sizeof(T));
        } else {
            for (const T& value : list) {
                put(value);
            }
        }
    }
    /// Sent beside the bytes.
    void put(const SharedBlock& block) { block_ = &block; }
    /// A value, which the message owns until it has been sent.
    template <class T>
    void put_and_keep(T&& value) {
        auto kept = std::make_shared<std::decay_t<T>>(std::forward<T>(value));
        put(std::as_const(*kept));
        kept_ = std::move(kept);
    }

    std::vector<std::byte>& bytes() { return bytes_; }
    const SharedBlock* block() const { return block_; }

private:
    void put_bytes(const void* from, std::size_t count) {
        const auto* const begin = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), begin, begin + count);
    }

    std::vector<std::byte> bytes_;
    const SharedBlock* block_ = nullptr;
    std::shared_ptr<const void> kept_;
};

/// @throws std::length_error if the bytes end before the value does
class MessageReader {
public:
    explicit MessageReader(std::span<const std::byte> bytes, SharedBlock block = {})
        : bytes_(bytes), block_(std::move(block)) {}

    template <class T>
    T take() {
        T value{};
        take_to(value);
        return value;
    }

private:
    template <class T>
    void take_to(T& value) {
        if constexpr (HasMessageMembers<T>) {
            std::apply([this](auto&... members) { (this->take_to(members), ...); }, message_members(value));
        } else {
            static_assert(std::is_trivially_copyable_v<T>);
            const std::span<const std::byte> from = take_bytes(sizeof(T));
            std::memcpy(&value, from.data(), from.size());
        }
    }
    void take_to(std::string& text) {
        const std::span<const std::byte> from = take_bytes(take<std::size_t>());
        text.assign(reinterpret_cast<const char*>(from.data()), from.size());
    }
    template <class T>
    void take_to(std::vector<T>& list) {
        const auto count = take<std::size_t>();
        if constexpr (std::is_trivially_copyable_v<T>) {
            if (count > bytes_.size() / sizeof(T)) {
                throw std::length_error("a message ends too early");
            }
            list.resize(count);
            const std::span<const std::byte> from = take_bytes(count * sizeof(T));
            if (!from.empty()) {
                std::memcpy(list.data(), from.data(), from.size());
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                list.push_back(take<T>());
            }
        }
    }
    void take_to(SharedBlock& block) { block = std::move(block_); }

    std::span<const std::byte> take_bytes(std::size_t count) {
        if (count > bytes_.size()) {
            throw std::length_error("a message ends too early");
        }
        const std::span<const std::byte> taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }

    std::span<const std::byte> bytes_;
    SharedBlock block_;
};

}  // namespace recon
