#include "core/mri/gradients/first_samples.hpp"

namespace recon {

double left_with_factors(const CentreFit& fit, std::span<const Index> places, Index count) {
    const Eigen::MatrixXcd& data = fit.data();
    Eigen::MatrixXcd columns(data.size(), count);  // of what each place leaves by itself
    for (Index place = 0; place < count; ++place) {
        Eigen::MatrixXcd of_place = Eigen::MatrixXcd::Zero(data.rows(), data.cols());
        for (Index i = 0; i < data.rows(); ++i) {
            if (places[static_cast<std::size_t>(i)] == place) {
                of_place.row(i) = data.row(i);
            }
        }
        columns.col(place) = fit.without_image(of_place).reshaped();
    }
    const Eigen::VectorXcd rest = fit.rest().reshaped();
    const Eigen::VectorXcd changes = columns.colPivHouseholderQr().solve(-rest);
    return (rest + columns * changes).squaredNorm();
}

}  // namespace recon
