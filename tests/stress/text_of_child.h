// What a function gives in a child process, whose memory and modes are its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

// The text of `f`; if a signal ended the child, by which it was killed.
inline std::string text_of_child(const std::function<std::string()>& f) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const std::string all = f();
    size_t at = 0;
    for (ssize_t n; at < all.size() && (n = write(ends[1], all.data() + at, all.size() - at)) > 0;)
      at += static_cast<size_t>(n);
    _exit(0);
  }
  close(ends[1]);
  std::string all;
  char part[4096];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) all.append(part, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? std::string("killed: ") + strsignal(WTERMSIG(status)) : all;
}
