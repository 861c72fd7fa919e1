#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace recon {

/// A list that its copies share until one of them is changed, which then gets its own: what the frames of a series have
/// in common is in memory once. Reads like a std::vector.
template <class T>
class SharedList {
public:
    using value_type = T;
    using const_iterator = typename std::vector<T>::const_iterator;
    using iterator = const_iterator;

    SharedList() = default;
    SharedList(std::vector<T> values)
        : values_(values.empty() ? nullptr : std::make_shared<std::vector<T>>(std::move(values))) {}

    const std::vector<T>& values() const {
        static const std::vector<T> none;
        return values_ ? *values_ : none;
    }
    operator const std::vector<T>&() const { return values(); }

    bool empty() const { return values().empty(); }
    std::size_t size() const { return values().size(); }
    const T* data() const { return values().data(); }
    const T& operator[](std::size_t i) const { return values()[i]; }
    const T& front() const { return values().front(); }
    const T& back() const { return values().back(); }
    const_iterator begin() const { return values().begin(); }
    const_iterator end() const { return values().end(); }

    /// The list, for changes: a copy of its own if it is shared.
    std::vector<T>& own() {
        if (!values_ || values_.use_count() > 1) {
            values_ = std::make_shared<std::vector<T>>(values());
        }
        return *values_;
    }
    T& operator[](std::size_t i) { return own()[i]; }
    void push_back(const T& value) { own().push_back(value); }
    void resize(std::size_t size) { own().resize(size); }
    void clear() { values_.reset(); }

    friend bool operator==(const SharedList& a, const SharedList& b) {
        return a.values_ == b.values_ || a.values() == b.values();
    }

private:
    std::shared_ptr<std::vector<T>> values_;
};

/// Finds the lists that are equal, so that each is kept once.
template <class T>
class DistinctLists {
public:
    SharedList<T> shared(SharedList<T> list) {
        const auto same = std::find(lists_.begin(), lists_.end(), list);
        if (same != lists_.end()) {
            return *same;
        }
        lists_.push_back(list);
        return list;
    }

private:
    std::vector<SharedList<T>> lists_;
};

}  // namespace recon
