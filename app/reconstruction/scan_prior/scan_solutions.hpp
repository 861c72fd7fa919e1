#pragma once

#include <optional>
#include <vector>

#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"
#include "app/reconstruction/scan_prior/scan_system.hpp"

namespace recon {

/// What is left where a solution stops.
struct SolutionAccuracy {
    double energy;  ///< (x - x*)^H A (x - x*), in units of that of the posterior error
    /// A part of |x|^2: directions that the data hardly see weigh nothing in the energy, and are the largest part of
    /// the error where there are too few samples.
    double size;

    constexpr SolutionAccuracy energy_alone() const { return {energy, 0}; }
};
constexpr SolutionAccuracy turn_accuracy{0.03, 0.001};    ///< of an image that the next one starts from
constexpr SolutionAccuracy image_accuracy{0.003, 0.001};  ///< adds less than half a per cent to the image's error
constexpr SolutionAccuracy sample_accuracy{0.03, 0.05};
constexpr SolutionAccuracy rough_sample_accuracy{0.1, 0.05};  ///< of one that the next one starts from

/// The error of an image as a part of it, below which the data decide it.
constexpr double nearly_right = 0.04;

/// The image and a sample of its error, under one prior after the other:
///
///     A x = E^H d,      A z = E^H sqrt(w) sigma n + W^H (sigma w),
///
/// each from where the solution before left it. Once the run is to stop, nothing more is solved.
class ScanSolutions {
public:
    /// @param evidence  prepared; outlives this
    /// @param image     x; set to 0, as z is
    /// @param asked     limits that the user asks of every solution
    ScanSolutions(const ScanEvidence& evidence, ArrayView image, const AskedLimits& asked);

    /// A of this prior, from here on. The one before ends first, so that there is memory for one alone.
    /// @param term  its deviations outlive the prior  @param white_noise  sigma^2 of a sample of one coil
    void begin_prior(const ScanTerm& term, double white_noise);
    void end_prior() { system_.reset(); }
    /// That of the scan, as it stands among the others.
    const PriorTerm& prior() const { return system_->terms().back(); }

    /// From here on all solutions are told to come nearer. The next sample of the error, which is to be under the prior
    /// of the spectrum, comes from both sides: from where it is it comes to less than it should be, if solutions are
    /// far from their end, and from the error that gridding makes of a draw of the prior to more. z is what lies
    /// between the two and has the geometric mean of their sizes.
    void tighten() { is_tight_ = next_from_both_sides_ = true; }
    /// Where samples are few, solutions that seem to rest may be far off: the last sample of an error, once it seemed
    /// to have its size, went on to much more.
    bool rest_deceives() const {
        constexpr double much_more = 1.4;
        return !is_tight_ && growth_of_sample_ > much_more;
    }
    /// The last sample went on to hardly more.
    bool rest_is_true() const {
        constexpr double hardly_more = 1.1;
        return growth_of_sample_ < hardly_more;
    }

    /// x as what gridding makes of the data.
    void start_image();
    /// @param name  for the log
    void solve_image(const SolutionAccuracy& accuracy, const char* name);
    /// z as the image's own error. @param noise  E^H sqrt(w) sigma n
    void sample_error(Index draw, const Array& noise, const SolutionAccuracy& accuracy = sample_accuracy);
    /// z of other data, from where it is. @param right_side  E^H of them; what lies outside of the support becomes 0
    void solve_repetition(Array& right_side, const SolutionAccuracy& accuracy);
    /// For a sample of another draw.
    void forget_error() { error_.backend().fill(0, error_); }
    void set_error(const Array& values) { error_.backend().copy(values, error_); }
    /// x becomes share x + (1 - share) other.
    void mix_image(double share, const Array& other) { error_.backend().axpby(1 - share, other, share, image_); }
    void go_back_to(const Array& image, const Array& error);
    void scale_error(double factor) { error_.backend().scale(factor, error_); }

    /// For the record: the error of the image as it is now, as large as `size`.
    void note_error(double size);
    const std::vector<double>& error_course() const { return error_course_; }  ///< as parts of the images
    const std::vector<double>& error_course_iterations() const { return error_course_iterations_; }

    /// (x - x*)^H A (x - x*) where a solution of this accuracy stops.
    double energy_left(const SolutionAccuracy& accuracy) const;
    ConstArrayView image() const { return image_; }
    Array copy_of_image() const;
    const Array& error() const { return error_; }
    bool interrupted() const { return interrupted_; }
    int iterations() const { return iterations_; }  ///< of all solutions together
    /// The last one of the image, or of a sample of its error, took the most iterations that there are, unasked.
    bool is_unfinished() const;
    const CgReport& last_of_image() const { return cg_; }

private:
    void start_error_from_above(Index draw);
    void solve_for_error(Array& right_side, const SolutionAccuracy& accuracy);
    double size_left(const SolutionAccuracy& accuracy) const;

    const ScanEvidence& evidence_;
    AskedLimits asked_;
    ArrayView image_;
    Array error_;
    std::optional<ScanSystem> system_;
    double noise_variance_ = 0;  ///< of the data with their weights
    CgReport cg_;
    int iterations_ = 0;
    bool sample_is_unfinished_ = false;
    double growth_of_sample_ = 1;  ///< of |z|^2 after it seemed to rest
    std::vector<double> error_course_, error_course_iterations_;
    bool is_tight_ = false;
    bool next_from_both_sides_ = false;
    bool interrupted_ = false;
};

/// The least sigma for which a solution comes to a hundredth of its error's energy before that is rounding. With less
/// the iterations go on in what rounding makes, and where samples are few that becomes the image.
double least_sigma(const ScanEvidence& evidence);

}  // namespace recon
