#include "app/python/binding/foreign_arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "gpu/device/current_device.hpp"

namespace recon {
namespace {

namespace nb = nanobind;

constexpr int host_memory = 1;  // DLPack's number

using Host = std::vector<std::byte>;

std::string text_of(const Extents& extents) { return fmt::format("({})", fmt::join(extents, ", ")); }

std::string text_of(const nb::dlpack::dtype& type) {
    constexpr std::array names{"int", "uint", "float", "handle", "bfloat", "complex", "bool"};  // DLPack's numbers
    return type.code < names.size() ? fmt::format("{}{}", names.at(type.code), type.bits) : "of another type";
}

/// "the image is", "the samples are"
std::string what_is(const std::string& what) { return what + (what.ends_with('s') ? " are" : " is"); }

bool overlap(const GivenArray& given, const ResultArray& out) {
    const auto a = reinterpret_cast<std::uintptr_t>(given.data()), b = reinterpret_cast<std::uintptr_t>(out.data());
    return a < b + out.nbytes() && b < a + given.nbytes();
}

/// @tparam Given  GivenArray or ResultArray
template <class Given>
void require(const Given& given, const Wanted& wanted) {
    const nb::dlpack::dtype type = wanted.precision == Precision::single ? nb::dtype<cfloat>() : nb::dtype<cdouble>();
    if (given.dtype() != type) {
        throw UsageError(
            fmt::format("{} {}, expected {}", what_is(wanted.what), text_of(given.dtype()), text_of(type)));
    }
    Extents extents;
    for (std::size_t axis = 0; axis < given.ndim(); ++axis) {
        extents.push_back(given.shape(axis));
    }
    if (extents != wanted.extents) {
        throw UsageError(
            fmt::format("{} {}, expected {}", what_is(wanted.what), text_of(extents), text_of(wanted.extents)));
    }
    std::int64_t stride = 1;
    for (std::size_t axis = given.ndim(); axis-- > 0;) {
        if (given.shape(axis) > 1 && given.stride(axis) != stride) {
            throw UsageError(what_is(wanted.what) +
                             " not contiguous in C order; make it so (`.contiguous()`, `ascontiguousarray`)");
        }
        stride *= static_cast<std::int64_t>(given.shape(axis));
    }
}

/// What a Python array refers to: the numbers, and the backend that they are on.
struct KeptArray {
    std::shared_ptr<SharedBackend> shared;
    std::optional<Array> array;

    ~KeptArray() {
        const CurrentDeviceStays stays;
        try {
            wait_for_others(*shared);  // they may still be reading
        } catch (const Error& error) {
            log_warning("{}", error.what());
        }
        array.reset();
    }
};

nb::object python_array(const void* data, const Extents& extents, nb::handle owner, Precision precision,
                        int device_type, int device_id) {
    return nb::cast(nb::ndarray<nb::array_api>(
        const_cast<void*>(data), extents.size(), extents.data(), owner, nullptr,
        precision == Precision::single ? nb::dtype<cfloat>() : nb::dtype<cdouble>(), device_type, device_id));
}

nb::object python_array(std::unique_ptr<Host> own, const Extents& extents, Precision precision) {
    void* const data = own->data();
    const nb::capsule owner(own.release(), [](void* p) noexcept { delete static_cast<Host*>(p); });
    return python_array(data, extents, owner, precision, host_memory, 0);
}

}  // namespace

bool ForeignCall::is_in_place(int device_type, int device_id, const std::string& what) const {
    const bool is_host = device_type == host_memory;
    if (is_host ? shared_->backend->memory_is_host()
                : device_type == shared_->device_type && device_id == shared_->device_id) {
        return true;
    }
    if (!is_host) {
        throw UsageError(fmt::format("{} on another device (DLPack {}, {}) than the operator, which is on {}",
                                     what_is(what), device_type, device_id, shared_->backend->name()));
    }
    return false;
}

nb::object ForeignCall::run(const GivenArray& given, const Wanted& wanted, const Shape& domain, const Wanted& result,
                            const Shape& codomain, const std::optional<ResultArray>& out, const Work& work) const {
    require(given, wanted);
    if (out) {
        require(*out, result);
        if (out->device_type() != given.device_type() || out->device_id() != given.device_id()) {
            throw UsageError(what_is(result.what) + " on another device than what is given");
        }
        if (overlap(given, *out)) {
            throw UsageError(wanted.what + " and out must not overlap; give out memory of its own");
        }
    }
    const ConstArrayView input(*shared_->backend, given.data(), domain, wanted.precision);
    return is_in_place(given.device_type(), given.device_id(), wanted.what)
               ? in_place(input, result, codomain, out, work)
               : on_host(input, result, codomain, out, work);
}

nb::object ForeignCall::in_place(ConstArrayView input, const Wanted& result, const Shape& codomain,
                                 const std::optional<ResultArray>& out, const Work& work) const {
    auto kept = std::make_unique<KeptArray>();
    kept->shared = shared_;
    {
        const Turn turn(*shared_);
        Backend& backend = *shared_->backend;
        wait_for_others(*shared_);
        if (out) {
            work(input, ArrayView(backend, out->data(), codomain, result.precision));
        } else {
            work(input, kept->array.emplace(backend, codomain, result.precision));
        }
        backend.synchronize();
    }
    if (out) {
        return nb::none();
    }
    const void* data = kept->array->view().address();
    const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<KeptArray*>(p); });
    return python_array(data, result.extents, owner, result.precision, shared_->device_type, shared_->device_id);
}

nb::object ForeignCall::host_copy(ConstArrayView array, const Extents& extents) const {
    auto own = std::make_unique<Host>(static_cast<std::size_t>(array.size()) * complex_bytes(array.precision()));
    {
        const Turn turn(*shared_);
        shared_->backend->download(array, own->data(), array.precision());
    }
    return python_array(std::move(own), extents, array.precision());
}

nb::object ForeignCall::on_host(ConstArrayView input, const Wanted& result, const Shape& codomain,
                                const std::optional<ResultArray>& out, const Work& work) const {
    auto own = std::make_unique<Host>(
        out ? 0 : static_cast<std::size_t>(codomain.element_count()) * complex_bytes(result.precision));
    void* const data = out ? out->data() : own->data();
    {
        const Turn turn(*shared_);
        Backend& backend = *shared_->backend;
        Array there(backend, input.shape(), input.precision()), back(backend, codomain, result.precision);
        backend.upload(input.address(), input.precision(), there);
        work(there, back);
        backend.download(back, data, result.precision);
    }
    if (out) {
        return nb::none();
    }
    return python_array(std::move(own), result.extents, result.precision);
}

Array ForeignCall::copy_of(const GivenArray& given, const Wanted& wanted, const Shape& shape) const {
    require(given, wanted);
    const bool is_there = is_in_place(given.device_type(), given.device_id(), wanted.what);
    const Turn turn(*shared_);
    Backend& backend = *shared_->backend;
    Array copy(backend, shape, wanted.precision);
    if (is_there) {
        wait_for_others(*shared_);
        backend.copy(ConstArrayView(backend, given.data(), shape, wanted.precision), copy);
    } else {
        backend.upload(given.data(), wanted.precision, copy);
    }
    backend.synchronize();
    return copy;
}

}  // namespace recon
