#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/checkpoint/checkpoint.hpp"
#include "app/pipeline/run_control.hpp"

namespace recon {

/// One rank's way through the course whose results a checkpoint keeps: numbers what begins within a frame.
///
/// While something goes on by steps a request to stop is not due within one: after it, the first rank writes the
/// checkpoint, and throws Cancelled unless partial images are kept. From then on nothing is kept.
class Journal final : public SolutionKeeper {
public:
    enum class Role { reads, writes };

    /// @param checkpoint, control  outlive this object, as does the token, which is this rank's
    Journal(Checkpoint& checkpoint, const RunControl& control, CancelToken& token, Role role)
        : checkpoint_(checkpoint), control_(control), token_(token), role_(role) {}

    /// @param number  in the scan, whichever rank works on it
    void begin_frame(std::size_t number) { begun_ = {number, 0}; }
    bool begin(const Visit& result) override;
    void go_on(Visit state) override;
    void step_done() override;
    void end(const Visit& result) override;

private:
    std::string place() const;

    Checkpoint& checkpoint_;
    const RunControl& control_;
    CancelToken& token_;
    Role role_;
    std::vector<std::size_t> begun_{0, 0};  ///< number of the frame; so many, within what is going on at each level
    Visit state_;
    std::optional<CancelToken::Hold> hold_;
    bool closed_ = false;  ///< of the rank that writes
};

}  // namespace recon
