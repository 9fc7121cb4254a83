/* The actuator disc of actuator_disc.py in C. Compile it beside fairlead_partner.h:

   gcc -O1 -I INCLUDE actuator_disc.c -o actuator_disc -lm
   fairlead couple floater.yaml --set 'partners.air.command=[./actuator_disc]'

   INCLUDE: python -c "import fairlead.running.partners as p; print(p.__path__[0] + '/include')" */
#include "fairlead_partner.h"
#include <math.h>

static const double DENSITY = 1.225, RADIUS = 63.0, CT = 0.15, WIND = 18.2; /* kg/m3, m, -, m/s */

static int load(double t, const double *motion, int n, double step, int flags, double out[6], void *mine) {
    const double *q = motion, *v = motion + 4; /* sent: orientation (4), velocity (3) */
    double shaft[3] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]), 2 * (q[1] * q[3] - q[0] * q[2])};
    double relative = (WIND - v[0]) * shaft[0] - v[1] * shaft[1] - v[2] * shaft[2];
    double thrust = 0.5 * DENSITY * CT * M_PI * RADIUS * RADIUS * relative * fabs(relative);
    (void)t; (void)step; (void)flags; (void)mine;
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; i < 3; i++) out[i] = thrust * shaft[i];
    return n == 7 ? 0 : 1;
}

int main(void) {
    struct fl_partner me = {.name = "air", .step = "large", .answers = "start", .load = load};
    return fl_serve(&me);
}
