#include "app/memory_forecast.hpp"
namespace recon {
MemoryForecast forecast_memory(const Scan&, const ReconstructOptions&) { return {}; }
}  // namespace recon
