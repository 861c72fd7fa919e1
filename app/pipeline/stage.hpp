#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string_view>

namespace recon {

/// What a run consists of. The log, the record's `seconds` and the memory plan name these and no others.
enum class Stage {
    read,
    check,   ///< of inputs against the data: field map, reference image
    whiten,  ///< whitening and compression of the coils
    coil_maps,
    density,  ///< density compensation
    q,        ///< Q and its Toeplitz plan
    adjoint,  ///< F^H d and its plans
    start,    ///< start image, priors and preconditioner: what the solver begins with
    lambda,   ///< the choice of lambda, its solutions included
    solve,
    residual,  ///< of the data
    accuracy,  ///< measured accuracy
    baseline,  ///< gridding + FFT, to be compared with
    write
};

inline constexpr std::array all_stages{
    Stage::read,  Stage::check,  Stage::whiten, Stage::coil_maps, Stage::density,  Stage::q,        Stage::adjoint,
    Stage::start, Stage::lambda, Stage::solve,  Stage::residual,  Stage::accuracy, Stage::baseline, Stage::write};

/// The one text of a stage: "coil_maps". F^H d is "fhd", the solver "cg".
std::string_view name_of(Stage stage);

/// What the stages of a run took. One that is entered again adds up; one within another counts in both.
class StageRecord {
public:
    struct Cost {
        double seconds = 0;
        std::size_t peak_bytes = 0;  ///< most that the backend's books held meanwhile; 0: nothing was booked
    };

    void add(Stage stage, double seconds, std::size_t peak_bytes);
    Cost of(Stage stage) const;
    const std::map<Stage, Cost>& costs() const { return costs_; }

private:
    std::map<Stage, Cost> costs_;
};

}  // namespace recon
