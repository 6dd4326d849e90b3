/* A plugin that contains the static library and shows nothing of it to its host. */
#include "unload_work.h"

int plugin_work(void) { return work(tileops_plan_create_like, tileops_execute, tileops_plan_destroy); }
