/* SPDX-License-Identifier: Apache-2.0 */
/* One end of a socketpair: sends and receives whole messages, checked against the table. */
#ifndef WIRE_CHANNEL_H
#define WIRE_CHANNEL_H

#include "policy/wire/frame.h"
#include "policy/wire/messages.h"

struct channel {
	int fd; /* SOCK_SEQPACKET, owned */
	enum role self, peer;
	uint32_t phase; /* enum phase */
	uint32_t sent, received; /* serials */
	uint64_t seen; /* bit per message type received, for `once` */
	char *buffer; /* the message being put together; owned */
	size_t length, capacity;
	uint16_t chain; /* type of the chain under way, or 0 */
	int got_fd; /* descriptor that came with the last message, or -1; owned until taken */
};

struct message {
	enum message_type type;
	struct bytes body; /* valid until the next receive */
};

/* Takes the descriptor. */
void channel_init(struct channel *c, int fd, enum role self, enum role peer) NONNULL;
void channel_done(struct channel *c) NONNULL;

/*
 * Is fd a connected SOCK_SEQPACKET pair of AF_UNIX, as every channel is? 0, or -errno: a role started by hand finds
 * out here.
 */
int channel_check_fd(int fd) MUST_CHECK;

/*
 * Send one message, chained as needed; blocks. fd -1: none (borrowed, not closed). 0 or -errno (-EPIPE: peer gone;
 * -EMSGSIZE, -EPROTO: the table does not permit it, nothing was sent; -EAGAIN: a nonblocking descriptor is full,
 * nothing was sent).
 */
int channel_send(struct channel *c, enum message_type type, const void *body, size_t len, int fd)
	__attribute__((nonnull(1))) MUST_CHECK;

/*
 * The same, but never past `deadline_ms` (CLOCK_MONOTONIC, milliseconds; 0: for ever), whoever does not read.
 * -ETIMEDOUT: the channel is of no more use.
 */
int channel_send_until(struct channel *c, enum message_type type, const void *body, size_t len, int fd,
	uint64_t deadline_ms) __attribute__((nonnull(1))) MUST_CHECK;

enum channel_outcome { CHANNEL_END = 1, CHANNEL_AGAIN = 2 };

/*
 * Receive the next whole message. 0: *ret holds it. CHANNEL_END: the peer closed. CHANNEL_AGAIN, on nonblocking
 * descriptors only: nothing, or only part of a chain, is there yet. -EPROTO: something the table does not permit, a
 * torn frame, a wrong serial, an unexpected descriptor; the channel is of no more use. -errno otherwise.
 */
int channel_receive(struct channel *c, struct message *ret) NONNULL MUST_CHECK;

/* As above, waiting until `deadline_ms` (CLOCK_MONOTONIC, milliseconds; 0: for ever). -ETIMEDOUT past it. */
int channel_receive_until(struct channel *c, uint64_t deadline_ms, struct message *ret) NONNULL MUST_CHECK;

/* The buffer that holds the body of the message just received; the caller's to free. The channel takes another. */
char *channel_take_buffer(struct channel *c) NONNULL MUST_CHECK;

/*
 * What a frame is checked against, without any I/O: `have` body bytes arrived behind the header. 0 and the state
 * moved on (c->chain, c->received, c->seen, c->phase), or -EPROTO.
 */
int channel_admit(struct channel *c, const struct frame_header *h, size_t have, bool got_fd) NONNULL MUST_CHECK;

uint64_t clock_ms(void);

#endif
