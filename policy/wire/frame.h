/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One frame of a channel: a SOCK_SEQPACKET record, header first. A message longer than a frame is a chain of
 * frames of one type, all but the last flagged MORE.
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include "policy/base.h"

enum { FRAME_MAX = 64 * 1024, FRAME_BODY_MAX = FRAME_MAX - 16, MESSAGE_MAX = 16 * 1024 * 1024 + 64 * 1024 };

enum frame_flags { FRAME_MORE = 1u << 0, FRAME_HAS_FD = 1u << 1 };

struct frame_header {
	uint32_t length; /* of the body in this frame */
	uint16_t type; /* enum message_type */
	uint16_t flags;
	uint32_t serial; /* counts the sender's messages from 1; a gap is a protocol error */
	uint32_t zero;
};

_Static_assert(sizeof(struct frame_header) == 16, "the header has no padding");

#endif
