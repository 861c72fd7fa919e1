// The module recon._operators, of which recon/operators.py makes what users see.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "app/python/binding/python_operators.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"

namespace {

namespace nb = nanobind;
using namespace nb::literals;
using namespace recon;

OperatorSite site_of(const std::string& device, int threads, const Extents& image_extents,
                     const Extents& sample_extents, double tolerance, bool double_precision) {
    return {device,         threads,   image_extents,
            sample_extents, tolerance, double_precision ? Precision::double_ : Precision::single};
}

/// What the caller can mend is a ValueError, as Python expects.
void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        const bool is_usage = error.kind() == ErrorKind::usage || error.kind() == ErrorKind::input;
        PyErr_SetString(is_usage ? PyExc_ValueError : PyExc_RuntimeError, error.what());
    }
}

}  // namespace

NB_MODULE(_operators, module) {
    nb::set_leak_warnings(false);  // what lives until Python ends, as the variables of a script may, is no leak
    set_log_level(LogLevel::warning);
    nb::register_exception_translator(translate);

    nb::class_<PythonNufft>(module, "Nufft")
        .def(
            "__init__",
            [](PythonNufft* self, const GivenTrajectory& trajectory, const std::string& device, int threads,
               const Extents& image_extents, const Extents& sample_extents, double tolerance, bool double_precision) {
                new (self) PythonNufft(
                    trajectory, site_of(device, threads, image_extents, sample_extents, tolerance, double_precision));
            },
            "trajectory"_a, "device"_a, "threads"_a, "image_extents"_a, "sample_extents"_a, "tolerance"_a,
            "double_precision"_a)
        .def("forward", &PythonNufft::forward, "image"_a.noconvert(), "out"_a.noconvert().none())
        .def("adjoint", &PythonNufft::adjoint, "samples"_a.noconvert(), "out"_a.noconvert().none())
        .def_prop_ro("device", &PythonNufft::device);

    nb::class_<PythonEncoding>(module, "Encoding")
        .def(
            "__init__",
            [](PythonEncoding* self, const GivenTrajectory& trajectory, const std::optional<GivenArray>& coil_maps,
               const std::optional<GivenWeights>& weights, bool toeplitz, const std::string& device, int threads,
               const Extents& image_extents, const Extents& sample_extents, double tolerance, bool double_precision) {
                new (self) PythonEncoding(
                    trajectory, coil_maps, weights, toeplitz,
                    site_of(device, threads, image_extents, sample_extents, tolerance, double_precision));
            },
            "trajectory"_a, "coil_maps"_a.noconvert().none(), "weights"_a.none(), "toeplitz"_a, "device"_a, "threads"_a,
            "image_extents"_a, "sample_extents"_a, "tolerance"_a, "double_precision"_a)
        .def("forward", &PythonEncoding::forward, "image"_a.noconvert(), "out"_a.noconvert().none())
        .def("adjoint", &PythonEncoding::adjoint, "kspace"_a.noconvert(), "out"_a.noconvert().none())
        .def("weighted_adjoint", &PythonEncoding::weighted_adjoint, "kspace"_a.noconvert())
        .def("normal", &PythonEncoding::normal, "image"_a.noconvert(), "out"_a.noconvert().none())
        .def(
            "solve_normal",
            [](const PythonEncoding& self, const GivenArray& right_hand_side, double lambda, int iterations,
               double stop) {
                const PythonSolution s = self.solve_normal(right_hand_side, lambda, iterations, stop);
                return nb::make_tuple(s.image, s.iterations, s.residual, s.stopped_by, s.residuals);
            },
            "right_hand_side"_a.noconvert(), "lambda_"_a, "iterations"_a, "stop"_a)
        .def("coil_maps", &PythonEncoding::coil_maps)
        .def_prop_ro("device", &PythonEncoding::device);
}
