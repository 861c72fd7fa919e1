#include "data/files/reading_process/socket_message.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace recon {
namespace {

struct Ancillary {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

}  // namespace

bool send_to(int socket, std::span<const std::byte> bytes, int descriptor) {
    while (!bytes.empty()) {
        iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        Ancillary ancillary;
        if (descriptor >= 0) {
            message.msg_control = ancillary.bytes.data();
            message.msg_controllen = ancillary.bytes.size();
            cmsghdr* const head = CMSG_FIRSTHDR(&message);
            head->cmsg_level = SOL_SOCKET;
            head->cmsg_type = SCM_RIGHTS;
            head->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
        }
        const ssize_t count = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        descriptor = -1;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

bool receive_from(int socket, std::span<std::byte> bytes, int* descriptor) {
    while (!bytes.empty()) {
        iovec part{bytes.data(), bytes.size()};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        Ancillary ancillary;
        if (descriptor != nullptr) {
            message.msg_control = ancillary.bytes.data();
            message.msg_controllen = ancillary.bytes.size();
        }
        const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        const cmsghdr* const head = descriptor != nullptr ? CMSG_FIRSTHDR(&message) : nullptr;
        if (head != nullptr && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
            std::memcpy(descriptor, CMSG_DATA(head), sizeof(int));
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

}  // namespace recon
