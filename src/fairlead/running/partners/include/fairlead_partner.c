/* What the Fortran module calls: a partner by its words. */
#include "fairlead_partner.h"

int fl_serve_as(const char *name, const char *step, const char *answers, double dt,
                int (*load)(double, const double *, int, double, int, double *, void *), void *state, size_t size) {
    struct fl_partner me = {.name = name, .step = step, .answers = answers, .dt = dt, .load = load, .state = state, .size = size};
    return fl_serve(&me);
}
