/* A host that knows neither the library nor oneTBB at link time: unload_host FILE. It loads FILE, the
 * shared library or unload_plugin.c, lets it work on several threads, and unloads it, several times. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "unload_work.h"

/* dlsym gives an object pointer; POSIX promises that it holds a function's address. */
static int find(void* library, const char* name, void* function) {
  void* symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int use(void* library) {
  int (*plugin_work)(void);
  create_fn create;
  execute_fn execute;
  destroy_fn destroy;
  if (find(library, "plugin_work", &plugin_work)) return plugin_work();
  if (!find(library, "tileops_plan_create_like", &create) || !find(library, "tileops_execute", &execute) ||
      !find(library, "tileops_plan_destroy", &destroy)) {
    return fprintf(stderr, "functions are missing\n"), 1;
  }
  return work(create, execute, destroy);
}

int main(int argc, char** argv) {
  int cycle;
  void* again;
  if (argc != 2) return fprintf(stderr, "usage: unload_host FILE\n"), 2;
  for (cycle = 0; cycle < 20; ++cycle) {
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (use(library) != 0) return fprintf(stderr, "wrong result in cycle %d\n", cycle), 1;
    if (dlclose(library) != 0) return fprintf(stderr, "dlclose: %s\n", dlerror()), 1;
  }
  usleep(100000); /* workers that are about to sleep, or to end, would do it in code that is gone */
  again = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
  if (again == NULL) return fprintf(stderr, "%s was unloaded\n", argv[1]), 1;
  printf("%d cycles\n", cycle);
  return 0;
}
