#include "data/formats/pulseq/pulseq_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "core/base/error.hpp"
#include "data/formats/pulseq/pulseq_sections.hpp"

namespace recon {
namespace {

using Shapes = std::map<Index, std::vector<double>>;

class Parser {
public:
    explicit Parser(const std::string& path)
        : sections_(path),
          version_(sections_.version()),
          gradient_raster_s_(sections_.definition_s("GradientRasterTime")),
          shapes_(sections_.shapes()) {}

    PulseqFile parse() {
        for (const PulseqLine& line : sections_.of("TRAP")) {
            file_.gradients[sections_.whole(line, 0)] = trapezoid(line);
        }
        for (const PulseqLine& line : sections_.of("GRADIENTS")) {
            file_.gradients[sections_.whole(line, 0)] = shaped(line);
        }
        for (const PulseqLine& line : sections_.of("ADC")) {
            file_.readouts[sections_.whole(line, 0)] = readout(line);
        }
        for (const PulseqLine& line : sections_.of("RF")) {
            file_.pulses[sections_.whole(line, 0)] = pulse(line);
        }
        const PulseqExtensions extensions(sections_);
        file_.rotations = pulseq_rotations(sections_, extensions);
        file_.labels = pulseq_labels(sections_, extensions);
        file_.field_of_view_mm = sections_.field_of_view_mm();
        const double raster_s = sections_.definition_s("BlockDurationRaster");
        for (const PulseqLine& line : sections_.of("BLOCKS")) {
            file_.blocks.push_back(block(line, raster_s));
        }
        return std::move(file_);
    }

private:
    PulseqGradient trapezoid(const PulseqLine& line) const {
        constexpr double us = 1e-6;
        const double amplitude = sections_.number(line, 1);
        double time_s = sections_.number(line, 5) * us;
        PulseqGradient gradient{{time_s}, {0}};
        for (std::size_t part = 2; part < 5; ++part) {  // rise, flat, fall
            time_s += sections_.number(line, part) * us;
            gradient.times_s.push_back(time_s);
            gradient.values_hz_per_m.push_back(part < 4 ? amplitude : 0);
        }
        return gradient;
    }

    const std::vector<double>& shape(const PulseqLine& line, Index id) const {
        const auto found = shapes_.find(id);
        if (found == shapes_.end()) {
            sections_.refuse(line, fmt::format("a shape that is there; {} is not", id));
        }
        return found->second;
    }

    /// Values at times of their own, or at the middles (or, from 1.5, also the edges) of the raster.
    PulseqGradient shaped(const PulseqLine& line) const {
        constexpr double us = 1e-6;
        const bool has_ends = version_ >= 105;
        const std::size_t shape_word = has_ends ? 4 : 2;
        const double amplitude = sections_.number(line, 1);
        const Index time_id = sections_.whole(line, shape_word + 1);
        const double delay_s = sections_.number(line, shape_word + 2) * us;
        const std::vector<double>& values = shape(line, sections_.whole(line, shape_word));
        PulseqGradient gradient;
        const auto add = [&](double time_s, double value) {
            gradient.times_s.push_back(delay_s + time_s);
            gradient.values_hz_per_m.push_back(value);
        };
        if (time_id > 0) {
            const std::vector<double>& times = shape(line, time_id);
            if (times.size() != values.size()) {
                sections_.refuse(
                    line, fmt::format("as many times as values; there are {} and {}", times.size(), values.size()));
            }
            for (std::size_t i = 0; i < values.size(); ++i) {
                add(times[i] * gradient_raster_s_, amplitude * values[i]);
            }
            return gradient;
        }
        const double step_s = time_id < 0 ? gradient_raster_s_ / 2 : gradient_raster_s_;
        const double first_s = gradient_raster_s_ / 2;
        const std::size_t last = values.size() - 1;
        const double before = has_ends   ? sections_.number(line, 2)
                              : last > 0 ? amplitude * (1.5 * values[0] - 0.5 * values[1])
                                         : amplitude * values[0];
        const double after = has_ends   ? sections_.number(line, 3)
                             : last > 0 ? amplitude * (1.5 * values[last] - 0.5 * values[last - 1])
                                        : amplitude * values[0];
        add(0, before);
        for (std::size_t i = 0; i <= last; ++i) {
            add(first_s + static_cast<double>(i) * step_s, amplitude * values[i]);
        }
        add(static_cast<double>(last) * step_s + 2 * first_s, after);
        return gradient;
    }

    PulseqReadout readout(const PulseqLine& line) const {
        PulseqReadout readout{sections_.whole(line, 1), sections_.number(line, 2) * 1e-9,
                              sections_.number(line, 3) * 1e-6};
        constexpr Index most = 10'000'000;
        if (readout.sample_count < 1 || readout.sample_count > most || !(readout.dwell_s > 0)) {
            sections_.refuse(line, fmt::format("1 to {} samples and a dwell time above 0", most));
        }
        return readout;
    }

    /// 1.5 says what a pulse is for; before, one of up to 90 degrees excites, a larger one refocuses.
    PulseqPulse pulse(const PulseqLine& line) const {
        constexpr double us = 1e-6;
        const std::vector<double>& magnitude = shape(line, sections_.whole(line, 2));
        const Index time_id = sections_.whole(line, 4);
        const double raster_s = sections_.definition_s("RadiofrequencyRasterTime");
        const auto time_s = [&](std::size_t i) {
            return time_id > 0 ? shape(line, time_id).at(std::min(i, shape(line, time_id).size() - 1)) * raster_s
                               : (static_cast<double>(i) + 0.5) * raster_s;
        };
        PulseqPulse result;
        if (version_ >= 105) {
            const std::string& use = line.words.back();
            result.centre_s = (sections_.number(line, 5) + sections_.number(line, 6)) * us;
            result.excites = use == "e";
            result.refocuses = use == "r";
            if (use != "u") {
                return result;
            }
        } else {
            const double largest = *std::max_element(magnitude.begin(), magnitude.end()) * (1 - 1e-6);
            std::size_t first = 0, last = 0;
            for (std::size_t i = magnitude.size(); i-- > 0;) {
                first = magnitude[i] >= largest ? i : first;
                last = magnitude[i] >= largest && last == 0 ? i : last;
            }
            result.centre_s = sections_.number(line, 5) * us + (time_s(first) + time_s(last)) / 2;
        }
        double turns = 0;
        for (std::size_t i = 0; i < magnitude.size(); ++i) {
            const double step_s = i > 0 ? time_s(i) - time_s(i - 1) : magnitude.size() > 1 ? time_s(1) - time_s(0) : 0;
            turns += sections_.number(line, 1) * magnitude[i] * step_s;
        }
        constexpr double largest_excitation = 0.2501;  // turns: 90 degrees
        result.excites = std::abs(turns) <= largest_excitation;
        result.refocuses = !result.excites;
        return result;
    }

    PulseqBlock block(const PulseqLine& line, double raster_s) const {
        PulseqBlock block;
        block.duration_s = static_cast<double>(sections_.whole(line, 1)) * raster_s;
        block.pulse = known(line, 2, file_.pulses);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            block.gradients[axis] = known(line, 3 + axis, file_.gradients);
        }
        block.readout = known(line, 6, file_.readouts);
        const Index extensions = line.words.size() > 7 ? sections_.whole(line, 7) : 0;
        block.rotation = file_.rotations.contains(extensions) ? extensions : 0;
        block.labels = file_.labels.contains(extensions) ? extensions : 0;
        if (block.duration_s < 0) {
            sections_.refuse(line, "a duration from 0 on");
        }
        return block;
    }

    template <class T>
    Index known(const PulseqLine& line, std::size_t word, const std::map<Index, T>& events) const {
        const Index id = sections_.whole(line, word);
        if (id != 0 && !events.contains(id)) {
            sections_.refuse(line, fmt::format("an event that is there as word {}; {} is not", word + 1, id));
        }
        return id;
    }

    PulseqSections sections_;
    Index version_;
    double gradient_raster_s_;
    Shapes shapes_;
    PulseqFile file_;
};

}  // namespace

bool is_pulseq(const std::string& path) {
    std::ifstream file(path);
    constexpr int lines_looked_at = 50;
    std::string line;
    for (int i = 0; i < lines_looked_at && std::getline(file, line) && line.size() < 1000; ++i) {
        line = line.substr(0, line.find_first_of("#\r"));
        if (!line.empty()) {
            return line.starts_with("[VERSION]");
        }
    }
    return false;
}

PulseqFile read_pulseq(const std::string& path) { return Parser(path).parse(); }

}  // namespace recon
