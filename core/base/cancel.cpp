#include "core/base/cancel.hpp"

namespace recon {
namespace {

const CancelToken never_due;

thread_local const CancelToken* token_of_thread = &never_due;

}  // namespace

CancelBinding::CancelBinding(const CancelToken& token) : before_(token_of_thread) { token_of_thread = &token; }

CancelBinding::~CancelBinding() { token_of_thread = before_; }

const CancelToken& cancel_of_this_thread() { return *token_of_thread; }

}  // namespace recon
