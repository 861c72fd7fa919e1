#pragma once

#include <ismrmrd/ismrmrd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// What a message of the MRD streaming protocol is, as its first two bytes say (little-endian). [Inati 2017]
enum class MrdMessage : std::uint16_t {
    config_file = 1,  ///< 1024 bytes
    config_text = 2,  ///< these three: a length of 32 bits and text
    header = 3,
    close = 4,
    text = 5,
    acquisition = 1008,  ///< head, trajectory, data
    image = 1022,        ///< head, length of 64 bits and attributes, voxels
    waveform = 1026,
    array = 1030
};

/// The messages of a stream that was written to a file: where they are, with their heads. Nothing else is in memory.
class MrdStream {
public:
    using AcquisitionHead = ISMRMRD::ISMRMRD_AcquisitionHeader;
    using ImageHead = ISMRMRD::ISMRMRD_ImageHeader;

    /// By content: configuration or text, then a header; or images.
    static bool recognises(const std::string& path);

    /// Reads the messages up to the one that closes the stream. @throws InputError if one is cut or unknown
    explicit MrdStream(const std::string& path);
    ~MrdStream();
    MrdStream(const MrdStream&) = delete;
    MrdStream& operator=(const MrdStream&) = delete;

    const std::string& path() const { return path_; }
    const std::string& header() const { return header_; }  ///< XML; empty where there is none
    bool is_closed() const { return closed_; }             ///< by its last message

    const std::vector<AcquisitionHead>& acquisitions() const { return acquisitions_; }
    const std::vector<ImageHead>& images() const { return images_; }
    std::size_t acquisition_offset(Index i) const { return acquisition_offsets_[static_cast<std::size_t>(i)]; }
    std::size_t image_offset(Index i) const { return image_offsets_[static_cast<std::size_t>(i)]; }

    /// By several threads at once, if they like. @throws InputError if the file has become shorter
    void read(std::size_t offset, void* to, std::size_t bytes) const;
    template <class T>
    std::vector<T> read(std::size_t offset, std::size_t count) const {
        std::vector<T> values(count);
        read(offset, values.data(), count * sizeof(T));
        return values;
    }

private:
    void read_messages();
    std::size_t body_of(MrdMessage message, std::size_t at);
    std::size_t length_at(std::size_t at, std::size_t prefix_bytes) const;
    std::size_t require_inside(std::size_t at, std::size_t bytes) const;

    std::string path_;
    int descriptor_ = -1;
    std::size_t file_bytes_ = 0;
    std::string header_;
    bool closed_ = false;
    std::vector<AcquisitionHead> acquisitions_;
    std::vector<std::size_t> acquisition_offsets_;  ///< of the trajectory, which the data follow
    std::vector<ImageHead> images_;
    std::vector<std::size_t> image_offsets_;  ///< of the voxels
};

/// Bytes of one number of an image or array; 0 where the type is none of MRD's.
std::size_t bytes_of_mrd_type(std::uint16_t type);

}  // namespace recon
