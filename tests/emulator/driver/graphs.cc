#include "driver/graphs.h"

#include <chrono>
#include <memory>
#include <vector>

using namespace tileops::cuda;

namespace emulator {
namespace {

using Graph = std::vector<Work>;

struct Stream {
  Graph* capture = nullptr;
  int device = 0;
};
struct Event {
  std::chrono::steady_clock::time_point when;
  Graph* capture = nullptr;  // of the stream that it was recorded in
};
Stream legacy;

Stream* of(CUstream s) {
  // The default stream has three names: 0, and those of the legacy and of the thread's own one.
  return reinterpret_cast<uintptr_t>(s) <= 2 ? &legacy : reinterpret_cast<Stream*>(s);
}

}  // namespace

CUresult do_or_note(CUstream stream, Work work) {
  if (of(stream) != &legacy && of(stream)->device != current_device()) return kErrorInvalidHandle;
  Graph* graph = of(stream)->capture;
  if (!graph) return work();
  graph->push_back(std::move(work));
  return kSuccess;
}

}  // namespace emulator

using emulator::Event;
using emulator::Graph;
using emulator::of;
using emulator::Stream;

extern "C" {
CUresult cuStreamCreate(CUstream* s, unsigned) {
  return *s = reinterpret_cast<CUstream>(new Stream{nullptr, emulator::current_device()}), kSuccess;
}
CUresult cuStreamDestroy_v2(CUstream s) { return delete of(s), kSuccess; }
CUresult cuStreamSynchronize(CUstream s) { return of(s)->capture ? 900 : kSuccess; }  // STREAM_CAPTURE_UNSUPPORTED
CUresult cuStreamIsCapturing(CUstream s, int* status) { return *status = of(s)->capture != nullptr, kSuccess; }
CUresult cuThreadExchangeStreamCaptureMode(int*) { return kSuccess; }
CUresult cuStreamBeginCapture_v2(CUstream s, int) {
  if (of(s)->capture) return 901;  // STREAM_CAPTURE_INVALIDATED
  return of(s)->capture = new Graph, kSuccess;
}
CUresult cuStreamEndCapture(CUstream s, void** graph) {
  *graph = of(s)->capture;
  of(s)->capture = nullptr;
  return *graph ? kSuccess : 901;
}

CUresult cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  return *executable = new Graph(*static_cast<Graph*>(graph)), kSuccess;
}
CUresult cuGraphGetNodes(void* graph, void**, size_t* count) {
  return *count = static_cast<Graph*>(graph)->size(), kSuccess;
}
CUresult cuGraphLaunch(void* executable, CUstream) {
  for (const emulator::Work& work : *static_cast<Graph*>(executable))
    if (const CUresult r = work()) return r;
  return kSuccess;
}
CUresult cuGraphDestroy(void* graph) { return delete static_cast<Graph*>(graph), kSuccess; }
CUresult cuGraphExecDestroy(void* executable) { return delete static_cast<Graph*>(executable), kSuccess; }

CUresult cuEventCreate(CUevent* event, unsigned) { return *event = reinterpret_cast<CUevent>(new Event), kSuccess; }
CUresult cuEventDestroy_v2(CUevent event) { return delete reinterpret_cast<Event*>(event), kSuccess; }
CUresult cuEventRecord(CUevent event, CUstream s) {
  auto* e = reinterpret_cast<Event*>(event);
  e->when = std::chrono::steady_clock::now();
  e->capture = of(s)->capture;
  return kSuccess;
}
// A stream that waits for one under capture takes part in it.
CUresult cuStreamWaitEvent(CUstream s, CUevent event, unsigned) {
  if (Graph* graph = reinterpret_cast<Event*>(event)->capture) of(s)->capture = graph;
  return kSuccess;
}
CUresult cuEventSynchronize(CUevent) { return kSuccess; }
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent stop) {
  using Milliseconds = std::chrono::duration<float, std::milli>;
  *ms = Milliseconds(reinterpret_cast<Event*>(stop)->when - reinterpret_cast<Event*>(start)->when).count();
  return kSuccess;
}
}
