#include "data/files/content_hash.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

void require(int success) {
    if (success != 1) {
        throw Error("the SHA-256 of the OpenSSL library failed");
    }
}

}  // namespace

struct ContentHash::Context {
    EVP_MD_CTX* handle = EVP_MD_CTX_new();
    ~Context() { EVP_MD_CTX_free(handle); }
};

std::string text_of(const Digest& digest) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : digest) {
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

ContentHash::ContentHash() : context_(std::make_unique<Context>()) {
    require(context_->handle != nullptr ? EVP_DigestInit_ex(context_->handle, EVP_sha256(), nullptr) : 0);
}

ContentHash::~ContentHash() = default;

void ContentHash::add_bytes(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()));
}

void ContentHash::add(const std::string& text) {
    add(static_cast<Index>(text.size()));  // so that "a" + "bc" is not "ab" + "c"
    add_bytes(std::as_bytes(std::span(text)));
}

void ContentHash::add_pieces(std::span<const std::byte> bytes) {
    const auto count = static_cast<Index>((bytes.size() + piece_bytes - 1) / piece_bytes);
    std::vector<Digest> digests(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static) if (count > 1)
    for (Index i = 0; i < count; ++i) {
        const std::size_t first = static_cast<std::size_t>(i) * piece_bytes;
        const auto piece = bytes.subspan(first, std::min(piece_bytes, bytes.size() - first));
        // No exception may leave the loop: a failure shows as a digest of zeros.
        if (EVP_Digest(piece.data(), piece.size(), reinterpret_cast<unsigned char*>(digests[i].data()), nullptr,
                       EVP_sha256(), nullptr) != 1) {
            digests[i].fill(std::byte{0});
        }
    }
    for (const Digest& digest : digests) {
        require(digest != Digest{} ? 1 : 0);
        add(digest);
    }
}

Digest ContentHash::digest() {
    Digest digest{};
    require(EVP_DigestFinal_ex(context_->handle, reinterpret_cast<unsigned char*>(digest.data()), nullptr));
    return digest;
}

}  // namespace recon
