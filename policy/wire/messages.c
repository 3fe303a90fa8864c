/* SPDX-License-Identifier: Apache-2.0 */
/* Who may say what to whom, when, how much of it, and whether a descriptor comes along. */
#include "policy/wire/messages.h"
#include "policy/wire/frame.h"

enum { ANY = PHASE_SETUP | PHASE_WORK };

/* clang-format off */
#define RULE(type, sender, receiver, when, least, most, ...) \
	[MSG_##type] = { .name = #type, .from = ROLE_##sender, .to = ROLE_##receiver, .phases = (when), \
			 .min = (least), .max = (most), __VA_ARGS__ }

/*
 * Bounds are those of the bodies: a batch chunk is at most an eighth of a message, an answer carries one file's text.
 */
const struct message_rule message_rules[MSG__MAX] = {
	RULE(STDIN,         GUARD,   BROKER,  ANY,         1, FRAME_BODY_MAX),
	RULE(STDIN_END,     GUARD,   BROKER,  ANY,         1, 1, .once = true),
	RULE(CHILD,         GUARD,   BROKER,  ANY,         8, 8, .wants_fd = true),
	RULE(CHILD_FAILED,  GUARD,   BROKER,  ANY,         8, 8),
	RULE(CHILD_GONE,    GUARD,   BROKER,  ANY,        12, 12),
	RULE(SETTLED,       BROKER,  GUARD,   PHASE_SETUP, 0, 0, .once = true, .opens = true),
	RULE(START,         BROKER,  GUARD,   PHASE_WORK, 12, 12),
	RULE(STOP,          BROKER,  GUARD,   ANY,         4, 4),
	RULE(OUTPUT,        BROKER,  GUARD,   ANY,         0, MESSAGE_MAX),
	RULE(ERROR_OUTPUT,  BROKER,  GUARD,   ANY,         0, FRAME_BODY_MAX),
	RULE(FINISH,        BROKER,  GUARD,   ANY,         4, 4, .once = true),
	RULE(POLICY,        BROKER,  WORKER,  PHASE_SETUP, 1, 8 * 1024 * 1024, .once = true, .opens = true),
	RULE(REQUEST,       BROKER,  WORKER,  PHASE_WORK,  1, MESSAGE_MAX),
	RULE(ANSWER,        BROKER,  WORKER,  PHASE_WORK,  1, 512 * 1024),
	RULE(QUESTION,      WORKER,  BROKER,  PHASE_WORK,  1, 32 * 1024),
	RULE(ASSESSMENT,    WORKER,  BROKER,  PHASE_WORK,  1, 4 * 1024 * 1024),
	RULE(LISTING,       WORKER,  BROKER,  PHASE_WORK,  1, MESSAGE_MAX),
	RULE(ROWS_DONE,     WORKER,  BROKER,  PHASE_WORK,  4, 4),
	RULE(MODEL_NAMES,   WORKER,  BROKER,  PHASE_WORK,  5, 256 * 1024),
	RULE(JUDGEMENT,     WORKER,  BROKER,  PHASE_WORK,  1, 8192),
	RULE(HELPER,        BROKER,  GUARD,   PHASE_SETUP, 1, 16384, .once = true),
	RULE(MODEL_KEY,     BROKER,  NETPROC, PHASE_SETUP, 0, 0, .once = true, .wants_fd = true),
	RULE(MODEL_PLACE,   BROKER,  NETPROC, PHASE_SETUP, 1, 1024 * 1024, .once = true),
	RULE(MODEL_REQUEST, BROKER,  NETPROC, PHASE_SETUP, 1, 1024 * 1024, .once = true, .opens = true),
	RULE(MODEL_REPLY,   NETPROC, BROKER,  PHASE_WORK,  1, 1024 * 1024, .once = true),
	RULE(MODEL_FAILED,  NETPROC, BROKER,  ANY,         5, 4096, .once = true),
	RULE(MODEL_GREETING, NETPROC, BROKER, PHASE_SETUP, 16, 16, .once = true),
	RULE(GIT_OPEN,      BROKER,  GIT,     PHASE_SETUP, 6, 8192, .wants_fd = true),
	RULE(GIT_QUESTION,  BROKER,  GIT,     ANY,         1, 512 * 1024, .opens = true),
	RULE(GIT_ANSWER,    GIT,     BROKER,  PHASE_WORK,  1, 512 * 1024),
	RULE(SERVICE_PLACE, BROKER,  GUARD,   PHASE_SETUP, 1, 256, .once = true),
	RULE(CHILD_ERRORS,  GUARD,   BROKER,  ANY,         0, 0, .wants_fd = true),
	RULE(CONNECTED,     CONNECTOR, BROKER, PHASE_SETUP, 0, 0, .once = true, .wants_fd = true),
	RULE(NOT_CONNECTED, CONNECTOR, BROKER, PHASE_SETUP, 4, 4, .once = true),
	RULE(POOL_WANTED,   ACCEPTOR, SERVICE, ANY,        0, 0),
	RULE(POOL_CHILD,    SERVICE, ACCEPTOR, ANY,        0, 0, .wants_fd = true),
	RULE(POOL_NONE,     SERVICE, ACCEPTOR, ANY,        0, 0),
	RULE(POOL_READY,    NETPROC, ACCEPTOR, PHASE_SETUP, 1, 1, .once = true),
	RULE(POOL_CLIENT,   ACCEPTOR, NETPROC, PHASE_SETUP, 0, 0, .once = true, .wants_fd = true, .opens = true),
};
/* clang-format on */
