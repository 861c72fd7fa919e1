#include "app/reconstruction/scan_prior/evidence/first_image.hpp"

#include "core/backend/transfer_by_pieces.hpp"

namespace recon {
namespace {

/// @param object  whose data to take instead of the scan's
Array gridded(const ScanEvidence& evidence, const std::optional<ConstArrayView>& object) {
    const FrameProblem& problem = evidence.problem;
    Backend& backend = problem.backend();
    const Precision precision = problem.context().options.precision;
    Array factors(backend, Shape::samples(problem.plans().trajectory().sample_count()), precision);
    upload_by_pieces(factors, [&](std::size_t m) { return evidence.compensation[m]; });
    const Encoding& encoding = problem.encoding_beside_noise();
    Array image(backend, problem.image_shape(), precision);
    backend.fill(0, image);
    for_each_batch(encoding, [&](Index first, Index count) {
        Array compensated(backend, factors.shape().with_axis("coil", count), precision);
        if (object) {
            encoding.forward_coils(*object, first, compensated);
        }
        const ConstArrayView data =
            object ? compensated.view() : ConstArrayView(problem.weighted_kspace().coils(first, count));
        for (Index coil = 0; coil < count; ++coil) {
            backend.multiply(Conjugate::no, factors, data.slice(coil), Accumulate::no, compensated.slice(coil));
        }
        encoding.accumulate_adjoint_coils(compensated, first, image);
    });
    problem.ranks().all_reduce_sum(image);
    return image;
}

}  // namespace

Array first_image(const ScanEvidence& evidence) { return gridded(evidence, std::nullopt); }

Array first_image_of(const ScanEvidence& evidence, ConstArrayView object) { return gridded(evidence, object); }

}  // namespace recon
