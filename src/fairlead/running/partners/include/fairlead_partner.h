/* Partners of Fairlead in C: copy this file beside your program. The protocol is described in docs/coupling.md.

   static int load(double t, const double *motion, int n, double step, int flags, double out[6], void *mine);
   int main(void) { struct fl_partner me = {.name = "water", .step = "small", .answers = "start", .load = load};
                    return fl_serve(&me); }

   It connects to where FAIRLEAD_PARTNER says (unix:PATH or tcp:PORT), answers motions with loads, writes its state
   when told to, and ends when it is told to or when the run is gone. Needs a little-endian machine with POSIX sockets. */
#ifndef FAIRLEAD_PARTNER_H
#define FAIRLEAD_PARTNER_H
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { FL_HELLO = 1, FL_WELCOME, FL_READY, FL_MOTION, FL_LOAD, FL_CHECKPOINT, FL_ACKNOWLEDGE, FL_STOP, FL_STOPPED, FL_ERROR };
enum { FL_MIDDLE = 1, FL_TRIAL = 2, FL_FIRST = 4 };

struct fl_header { /* 64 bytes, little-endian */
    char magic[4]; uint32_t mark; uint16_t version, kind; uint32_t flags; uint64_t sequence;
    double time, step; uint32_t rows, columns, type, length, reserved, checksum;
};

struct fl_partner {
    const char *name, *step, *answers; /* "small" or "large"; a large step is answered for its "start" or its "end" */
    const char *units;                 /* "SI" unless given, or "scaled" */
    double dt;                         /* constant step of its own, 0 for none */
    int (*load)(double t, const double *motion, int n, double step, int flags, double out[6], void *mine); /* 0 if well */
    void *mine;   /* whatever load() needs */
    void *state;  /* what a checkpoint holds, and how many bytes; none for a partner without memory */
    size_t size;
    char about[4096]; int fd; uint64_t sequence; void *committed; /* filled here: what WELCOME says is in `about` */
};

static uint32_t fl_crc(uint32_t crc, const void *data, size_t n) { /* CRC-32 as in zlib */
    const unsigned char *p = data;
    for (crc = ~crc; n--; p++) { crc ^= *p; for (int k = 0; k < 8; k++) crc = crc & 1 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1; }
    return ~crc;
}
static void fl_sha256(const unsigned char *data, size_t n, char hex[65]) { /* FIPS 180-4 */
    static const uint32_t K[64] = {
        0x428a2f98,0x71374491,0xb5c0fbcf,0xe9b5dba5,0x3956c25b,0x59f111f1,0x923f82a4,0xab1c5ed5,0xd807aa98,0x12835b01,0x243185be,
        0x550c7dc3,0x72be5d74,0x80deb1fe,0x9bdc06a7,0xc19bf174,0xe49b69c1,0xefbe4786,0x0fc19dc6,0x240ca1cc,0x2de92c6f,0x4a7484aa,
        0x5cb0a9dc,0x76f988da,0x983e5152,0xa831c66d,0xb00327c8,0xbf597fc7,0xc6e00bf3,0xd5a79147,0x06ca6351,0x14292967,0x27b70a85,
        0x2e1b2138,0x4d2c6dfc,0x53380d13,0x650a7354,0x766a0abb,0x81c2c92e,0x92722c85,0xa2bfe8a1,0xa81a664b,0xc24b8b70,0xc76c51a3,
        0xd192e819,0xd6990624,0xf40e3585,0x106aa070,0x19a4c116,0x1e376c08,0x2748774c,0x34b0bcb5,0x391c0cb3,0x4ed8aa4a,0x5b9cca4f,
        0x682e6ff3,0x748f82ee,0x78a5636f,0x84c87814,0x8cc70208,0x90befffa,0xa4506ceb,0xbef9a3f7,0xc67178f2};
    uint32_t h[8] = {0x6a09e667,0xbb67ae85,0x3c6ef372,0xa54ff53a,0x510e527f,0x9b05688c,0x1f83d9ab,0x5be0cd19};
#define FL_R(x, k) ((x) >> (k) | (x) << (32 - (k)))
    size_t whole = (n + 9 + 63) / 64 * 64; unsigned char b[64];
    for (size_t at = 0; at < whole; at += 64) {
        for (size_t i = 0; i < 64; i++) b[i] = at + i < n ? data[at + i] : at + i == n ? 0x80 : 0;
        if (at + 64 == whole) for (int i = 0; i < 8; i++) b[56 + i] = (unsigned char)((uint64_t)n * 8 >> (56 - 8 * i));
        uint32_t w[64], s[8]; memcpy(s, h, sizeof s);
        for (int i = 0; i < 16; i++) w[i] = (uint32_t)b[4*i] << 24 | (uint32_t)b[4*i+1] << 16 | (uint32_t)b[4*i+2] << 8 | b[4*i+3];
        for (int i = 16; i < 64; i++) w[i] = w[i-16] + (FL_R(w[i-15],7) ^ FL_R(w[i-15],18) ^ w[i-15] >> 3) + w[i-7]
                                           + (FL_R(w[i-2],17) ^ FL_R(w[i-2],19) ^ w[i-2] >> 10);
        for (int i = 0; i < 64; i++) {
            uint32_t t1 = s[7] + (FL_R(s[4],6) ^ FL_R(s[4],11) ^ FL_R(s[4],25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i];
            uint32_t t2 = (FL_R(s[0],2) ^ FL_R(s[0],13) ^ FL_R(s[0],22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s); s[4] += t1; s[0] = t1 + t2;
        }
        for (int i = 0; i < 8; i++) h[i] += s[i];
    }
    for (int i = 0; i < 8; i++) sprintf(hex + 8 * i, "%08x", (unsigned)h[i]);
}
static int fl_move(int fd, void *data, size_t n, int out, int seconds) { /* all bytes or -1, within the time */
    for (char *p = data; n;) {
        struct pollfd look = {fd, out ? POLLOUT : POLLIN, 0};
        if (poll(&look, 1, seconds * 1000) <= 0) return -1;
        ssize_t done = out ? send(fd, p, n, MSG_NOSIGNAL) : recv(fd, p, n, 0);
        if (done <= 0) return -1;
        p += done; n -= (size_t)done;
    }
    return 0;
}
static int fl_send(struct fl_partner *me, int kind, double time, const void *body, uint32_t rows, uint32_t columns, int floats) {
    struct fl_header h = {{'F','L','C','P'}, 0x01020304, 1, (uint16_t)kind, 0, me->sequence, time, 0.0, rows, columns,
                          floats ? 1 : 2, rows * columns * (floats ? 8 : 1), 0, 0};
    h.checksum = fl_crc(fl_crc(0, &h, 60), body, h.length);
    return fl_move(me->fd, &h, sizeof h, 1, 60) || fl_move(me->fd, (void *)body, h.length, 1, 60);
}
static int fl_text(struct fl_partner *me, int kind, double time, const char *text) {
    return fl_send(me, kind, time, text, 1, (uint32_t)strlen(text), 0);
}
static const char *fl_word(const struct fl_partner *me, const char *name) { /* the value of a word of WELCOME, up to its line's end */
    static char found[1024]; size_t n = strlen(name);
    for (const char *line = me->about; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncmp(line, name, n) && line[n] == ':') { sscanf(line + n + 1, " %1023[^\n]", found); return found; }
    return "";
}
static double fl_number(const struct fl_partner *me, const char *name) { return atof(fl_word(me, name)); }
static int fl_connect(void) {
    const char *where = getenv("FAIRLEAD_PARTNER"); int fd = -1, one = 1;
    if (where && !strncmp(where, "unix:", 5)) {
        struct sockaddr_un a = {.sun_family = AF_UNIX}; strncpy(a.sun_path, where + 5, sizeof a.sun_path - 1);
        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&a, sizeof a)) return -1;
    } else if (where && !strncmp(where, "tcp:", 4)) {
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(where + 4))};
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK); fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&a, sizeof a)) return -1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    return fd;
}
static void fl_path(const struct fl_partner *me, long number, char path[2048]) {
    snprintf(path, 2048, "%s/%s.checkpoint.%ld", fl_word(me, "folder"), me->name, number);
}
static int fl_state(struct fl_partner *me, double *time, long number, int write_it, char hex[65]) { /* write or read a checkpoint */
    char path[2048], old[2048], fresh[2056]; size_t all = 8 + me->size; unsigned char *b = malloc(all);
    fl_path(me, number, path); snprintf(fresh, sizeof fresh, "%s.new", path);
    if (write_it) { memcpy(b, time, 8); if (me->size) memcpy(b + 8, me->state, me->size); }
    FILE *f = fopen(write_it ? fresh : path, write_it ? "wb" : "rb");
    size_t done = f ? (write_it ? fwrite(b, 1, all, f) : fread(b, 1, all, f)) : 0;
    if (f && write_it) { fflush(f); fsync(fileno(f)); }
    if (f) fclose(f);
    if (done == all && !write_it) { memcpy(time, b, 8); if (me->size) memcpy(me->state, b + 8, me->size); }
    if (done == all && write_it) { if (rename(fresh, path)) done = 0; fl_path(me, number - 2, old); unlink(old); }
    fl_sha256(b, all, hex); free(b);
    return done == all ? 0 : -1;
}
static int fl_fail(struct fl_partner *me, const char *why) {
    fprintf(stderr, "%s: %s\n", me->name, why); fl_text(me, FL_ERROR, 0.0, why); close(me->fd); return 7;
}
static int fl_serve(struct fl_partner *me) { /* serve the run to its end; the exit code of the program */
    char text[1024], hex[65]; double body[4096], out[6]; struct fl_header h; int iterates = 0;
    if ((me->fd = fl_connect()) < 0) { fprintf(stderr, "%s: FAIRLEAD_PARTNER does not lead to a run\n", me->name); return 2; }
    me->sequence = 0; me->committed = me->size ? malloc(me->size) : NULL;
    snprintf(text, sizeof text, "protocol: 1\nname: %s\nprogram: C\nunits: %s\nstep: %s\nanswers: %s\ndt: %.17g\ntoken: %s\n", me->name,
             me->units ? me->units : "SI", me->step, me->answers, me->dt, getenv("FAIRLEAD_PARTNER_TOKEN") ? getenv("FAIRLEAD_PARTNER_TOKEN") : "");
    if (fl_text(me, FL_HELLO, 0.0, text)) return 7;
    for (;;) {
        if (fl_move(me->fd, &h, sizeof h, 0, 3600)) { fprintf(stderr, "%s: the run is gone\n", me->name); return 7; }
        if (memcmp(h.magic, "FLCP", 4) || h.mark != 0x01020304 || h.version != 1) return fl_fail(me, "this is another protocol");
        if (h.length >= sizeof me->about || fl_move(me->fd, body, h.length, 0, 60)) return fl_fail(me, "a message is cut off or too long");
        if (fl_crc(fl_crc(0, &h, 60), body, h.length) != h.checksum) return fl_fail(me, "the checksum of a message does not hold");
        if (h.kind == FL_ERROR) { fprintf(stderr, "%s: the run ended: %.*s\n", me->name, (int)h.length, (char *)body); return 7; }
        if (h.sequence != ++me->sequence) return fl_fail(me, "a message is out of turn");
        if (h.kind == FL_WELCOME) {
            memcpy(me->about, body, h.length); me->about[h.length] = 0;
            double at = h.time; long number = (long)fl_number(me, "restart"); hex[0] = 0;
            iterates = !strcmp(fl_word(me, "iterates"), "yes");
            if (number && fl_state(me, &at, number, 0, hex)) return fl_fail(me, "its checkpoint cannot be read");
            if (me->size) memcpy(me->committed, me->state, me->size);
            snprintf(text, sizeof text, "time: %.17g\nsha256: %s\n", at, hex);
            if (fl_text(me, FL_READY, at, text)) return 7;
        } else if (h.kind == FL_MOTION) {
            if (iterates && me->size) memcpy(me->state, me->committed, me->size);
            if (me->load(h.time, body, (int)h.columns, h.step, (int)h.flags, out, me->mine)) return fl_fail(me, "it found no load");
            if (iterates && me->size && !(h.flags & FL_TRIAL)) memcpy(me->committed, me->state, me->size);
            int end = !strcmp(me->answers, "end") && !(h.flags & FL_FIRST);
            if (fl_send(me, FL_LOAD, h.time + (end ? h.step : 0.0), out, 1, 6, 1)) return 7;
        } else if (h.kind == FL_CHECKPOINT) {
            if (fl_state(me, &h.time, (long)h.flags, 1, hex)) return fl_fail(me, "its checkpoint cannot be written");
            snprintf(text, sizeof text, "time: %.17g\nsha256: %s\n", h.time, hex);
            if (fl_text(me, FL_ACKNOWLEDGE, h.time, text)) return 7;
        } else if (h.kind == FL_STOP) {
            fl_text(me, FL_STOPPED, h.time, ""); close(me->fd); return 0;
        } else return fl_fail(me, "a message is of no kind for a partner");
    }
}
#endif
