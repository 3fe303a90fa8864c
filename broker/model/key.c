/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a judge would be told, by whom, under which settings and in which environment, as one key: an allow holds only
 * while it is the same.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "broker/model/model.h"

enum { PROMPT_READ_MAX = 64 * 1024 };

/* netproc reads the file that replaces our prompt; what it holds decides what a judge says. */
static void put_prompt_file(struct writer *w, const char *path)
{
	CLEANUP(close_fdp) int fd = *path != '\0' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	CLEANUP(freep) char *text = malloc(PROMPT_READ_MAX);
	struct stat st;
	size_t len = 0;
	ssize_t n = 1;

	if (text == NULL) {
		w->bad = true;
		return;
	}
	while (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && n > 0 && len < PROMPT_READ_MAX) {
		n = read(fd, text + len, PROMPT_READ_MAX - len);
		len += n > 0 ? (size_t)n : 0;
	}
	wr_u8(w, fd >= 0);
	wr_bytes(w, (struct bytes){ text, len });
}

/* Another release may ask in other words. */
static void put_own_words(struct writer *w)
{
	wr_str(w, prompt_verdict);
	wr_str(w, prompt_allow);
	wr_str(w, prompt_deny);
	wr_str(w, prompt_chat);
	for (size_t i = 0; i < RISKS; i++) {
		wr_str(w, risk_questions[i].name);
		wr_str(w, risk_questions[i].text);
	}
}

/*
 * Programs look at it, and no question of a worker's tells whether it has changed: a library that is loaded before all
 * others, another PATH. Of most variables only the name is known here.
 */
static void put_environment(struct writer *w, const struct broker *b)
{
	char *const *const lists[] = { b->start.environment, b->start.other_names };

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		for (char *const *e = lists[i]; e != NULL && *e != NULL; e++)
			wr_str(w, *e);
		wr_u8(w, 0);
	}
}

int model_key(const struct broker *b, const struct model_setup *s, struct key *ret)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	CLEANUP(freep) char *config = NULL;
	int err = config_show(b->config, true, &config);

	if (err < 0)
		return err;
	wr_str(&w, config);
	put_own_words(&w);
	put_environment(&w, b);
	if (s->q.protocol == MODEL_CHAT)
		put_prompt_file(&w, config_string(b->config, CFG_LLM_SYSTEM_PROMPT_FILE));
	if (s->has_run)
		wr_raw(&w, s->run, sizeof(s->run));
	model_request_encode(&w, &s->q);
	if (w.bad)
		return -ENOMEM;
	*ret = key_of_bytes((struct bytes){ w.p, w.len });
	return 0;
}
