#pragma once

#include <string>

#include "core/backend/array.hpp"

namespace recon {

/// A linear map between two spaces of arrays on one backend.
///
/// `forward`, `adjoint` and `normal` check their operands in one place and then call the private `do_*`. `normal` is a
/// member, A^H A, so that an operator may supply a faster one than its two halves (Toeplitz).
class LinearOperator {
public:
    LinearOperator(std::string name, Backend& backend, const Shape& domain, const Shape& codomain, Precision precision);
    virtual ~LinearOperator() = default;
    LinearOperator(const LinearOperator&) = delete;
    LinearOperator& operator=(const LinearOperator&) = delete;

    const std::string& name() const { return name_; }
    Backend& backend() const { return *backend_; }
    const Shape& domain() const { return domain_; }
    const Shape& codomain() const { return codomain_; }
    Precision precision() const { return precision_; }

    /// y = A x. x: domain, y: codomain, overwritten, not x. @throws ShapeError
    void forward(ConstArrayView x, ArrayView y) const;
    /// x = A^H y. @throws ShapeError
    void adjoint(ConstArrayView y, ArrayView x) const;
    /// z = A^H A x. @throws ShapeError
    void normal(ConstArrayView x, ArrayView z) const;

protected:
    virtual void do_normal(ConstArrayView x, ArrayView z) const;  ///< forward, then adjoint, unless overridden

private:
    void require(const char* role, ConstArrayView array, const Shape& expected) const;
    virtual void do_forward(ConstArrayView x, ArrayView y) const = 0;
    virtual void do_adjoint(ConstArrayView y, ArrayView x) const = 0;

    std::string name_;
    Backend* backend_;
    Shape domain_;
    Shape codomain_;
    Precision precision_;
};

}  // namespace recon
