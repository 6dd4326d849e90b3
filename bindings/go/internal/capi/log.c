/* The library's log, written to a pipe that a goroutine reads. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

static int write_end = -1;

int tileops_go_log_open(void) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; ++i) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
  }
  write_end = ends[1]; /* before the library is told of tileops_go_log_write */
  return ends[0];
}

/* One write of at most 512 bytes, which POSIX keeps in one piece; what is longer is cut off. */
void tileops_go_log_write(void* unused, tileops_log_level level, const char* message) {
  (void)unused;
  char buffer[512];
  tileops_go_log_record record = {level, 0};
  size_t size = strlen(message);
  if (size > sizeof buffer - sizeof record) size = sizeof buffer - sizeof record;
  record.size = (int32_t)size;
  memcpy(buffer, &record, sizeof record);
  memcpy(buffer + sizeof record, message, size);
  if (write(write_end, buffer, sizeof record + size) < 0) return; /* full: dropped */
}
