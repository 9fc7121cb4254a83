/* A Bladed-style controller for tests: the law of the NREL 5 MW reference turbine (Jonkman and others, NREL/TP-500-38060,
   section 7), in double precision inside, its state static as such libraries have it. The input file holds kp and ki. What
   a test asks for by record 200 makes it misbehave: 1 crash, 2 nan, 3 sleep, 4 fail with a message, 5 warn, 6 leave. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double kp, ki, filtered, integral, pitch, torque, before;
static int calls;

static double within(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static double region(double w, double last_pitch)
{
    const double rated = 121.6805, cut_in = 70.16224, two = 91.21091, K = 2.332287, power = 5296610.0, reference = 122.9096;
    double synchronous = rated / 1.1, slope15 = K * two * two / (two - cut_in);
    double slope25 = power / reference / (rated - synchronous);
    double start25 = (slope25 - sqrt(slope25 * (slope25 - 4.0 * K * synchronous))) / (2.0 * K);
    if (w >= rated || last_pitch >= 0.01745329) return power / reference;
    if (w <= cut_in) return 0.0;
    if (w < two) return slope15 * (w - cut_in);
    if (w < start25) return K * w * w;
    return slope25 * (w - synchronous);
}

void DISCON(float *swap, int *fail, char *infile, char *outname, char *message)
{
    double t = swap[1], w = swap[19];
    int ask = (int)swap[199];
    (void)outname;
    printf("a library may print what it likes\n");
    fflush(stdout);
    if (ask == 1) { volatile int *nowhere = 0; *nowhere = 1; }
    if (ask == 2) { swap[46] = NAN; return; }
    if (ask == 3) sleep(30);
    if (ask == 4) { *fail = -1; strcpy(message, "the pitch bearing is stuck"); return; }
    if (ask == 5) { *fail = 1; strcpy(message, "close to a limit"); }
    if (ask == 6) { fprintf(stderr, "no licence was found\n"); exit(3); }
    if (swap[0] == 0.0f) {
        FILE *file = fopen(infile, "r");
        if (!file || fscanf(file, "%lf %lf", &kp, &ki) != 2) {
            if (file) fclose(file);
            *fail = -1;
            sprintf(message, "cannot read kp and ki in '%s'", infile);
            return;
        }
        fclose(file);
        calls = 0;
    }
    double dt = swap[2];
    if (!calls) {
        filtered = w;
        pitch = swap[3];
        integral = pitch * (1.0 + pitch / 0.1099965) / ki;
    }
    double a = exp(-dt * 1.570796), factor = 1.0 / (1.0 + pitch / 0.1099965);
    filtered = (1.0 - a) * w + a * filtered;
    double wanted = within(region(filtered, pitch), 0.0, 47402.91);
    torque = calls ? within(wanted, torque - 15000.0 * dt, torque + 15000.0 * dt) : wanted;
    double error = filtered - 122.9096;
    integral = within(integral + error * dt, 0.0, 1.570796 / (factor * ki));
    wanted = within(factor * (kp * error + ki * integral), 0.0, 1.570796);
    pitch = within(wanted, pitch - 0.1396263 * dt, pitch + 0.1396263 * dt);
    calls++;
    before = t;
    swap[46] = (float)torque;
    swap[44] = swap[41] = swap[42] = swap[43] = (float)pitch;
}
