#include "data/reading/stored/stored_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {

Index StoredArray::element_count() const {
    Index count = 1;
    for (const Index extent : extents) {
        count *= extent;
    }
    return count;
}

std::string StoredArray::extents_text() const {
    if (axes.empty()) {
        return fmt::format("[{}]", fmt::join(extents, ", "));
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] != 1) {
            texts.push_back(fmt::format("{} {}", axes[i], extents[i]));
        }
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

void StoredArray::drop_leading_ones() {
    while (extents.size() > 1 && extents.front() == 1) {
        extents.erase(extents.begin());
        if (!axes.empty()) {
            axes.erase(axes.begin());
        }
    }
}

std::vector<cfloat> StoredArray::take_complex() {
    if (auto* complex = std::get_if<std::vector<cfloat>>(&values)) {
        return std::move(*complex);
    }
    const auto& real = std::get<std::vector<double>>(values);
    std::vector<cfloat> result(real.size());
    std::transform(real.begin(), real.end(), result.begin(),
                   [](double value) { return cfloat(static_cast<float>(value)); });
    return result;
}

std::vector<double> StoredArray::take_real() {
    if (auto* real = std::get_if<std::vector<double>>(&values)) {
        return std::move(*real);
    }
    const auto& complex = std::get<std::vector<cfloat>>(values);
    const auto imaginary =
        std::count_if(complex.begin(), complex.end(), [](const cfloat& value) { return value.imag() != 0; });
    if (imaginary > 0) {
        throw InputError(
            fmt::format("{}: {} of {} values are complex, expected real ones", where, imaginary, complex.size()));
    }
    std::vector<double> result(complex.size());
    std::transform(complex.begin(), complex.end(), result.begin(),
                   [](const cfloat& value) { return static_cast<double>(value.real()); });
    return result;
}

std::string choose_array(const std::vector<std::string>& names, const ArrayName& name, const std::string& where) {
    const auto plain = [](const std::string& text) { return text.starts_with('/') ? text.substr(1) : text; };
    const auto find = [&](const std::string& wanted) {
        return std::find_if(names.begin(), names.end(),
                            [&](const std::string& known) { return plain(known) == plain(wanted); });
    };
    if (!name.asked.empty()) {
        if (const auto found = find(name.asked); found != names.end()) {
            return *found;
        }
        throw InputError(
            fmt::format("{}: has no array {}; there are {}", where, plain(name.asked), fmt::join(names, ", ")));
    }
    for (const std::string& usual : name.usual) {
        if (const auto found = find(usual); found != names.end()) {
            return *found;
        }
    }
    if (names.size() == 1) {
        return names.front();
    }
    throw InputError(names.empty() ? fmt::format("{}: holds no array of numbers", where)
                                   : fmt::format("{}: has no array named {}; name one of {} as {}:/{}", where,
                                                 fmt::join(name.usual, ", "), fmt::join(names, ", "), where,
                                                 plain(names.front())));
}

}  // namespace recon
