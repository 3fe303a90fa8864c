/* SPDX-License-Identifier: Apache-2.0 */
/* Workers that follow a script, behind real channels and a guard that starts one for every request to. */
#ifndef UNIT_WORKER_RIG_H
#define UNIT_WORKER_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "broker/decision/pipeline.h"

/* What a worker does once it has its policy: `nth` counts the workers of a test from 0. */
typedef void (*script)(struct channel *c, int nth);

struct rig {
	struct broker b;
	struct command_spec spec;
	pid_t guard;
};

void rig_up(struct rig *r, script play);
void rig_down(struct rig *r);
void configure(struct rig *r, const char *json);
extern const char no_telemetry[];

/* What a worker's script is made of. */
void receive_request(struct channel *c, struct request *ret);
void say(struct channel *c, const struct assessment *a);
void send_raw(struct channel *c, enum message_type type, const char *body, size_t len);
void wait_for_end(struct channel *c); /* the broker closes the channel of a worker that it gives up */
/* What it does with its request, and then waits. */
void answer(struct channel *c, const struct assessment *a);
void answer_raw(struct channel *c, enum message_type type, const char *body, size_t len);
struct assessment honest(void); /* `rm x`, left open */

#endif
