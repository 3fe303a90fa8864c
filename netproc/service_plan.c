/* SPDX-License-Identifier: Apache-2.0 */
/* The service's own configuration file, in the names and the syntax of the gate's. */
#include "netproc/service.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "netproc/asking.h"
#include "netproc/read.h"
#include "netproc/secret.h"
#include "policy/text/jsonout.h"

static const char credential_name[] = "api-key";

static int refuse(char **ret_why, const char *path, const char *why)
{
	if (asprintf(ret_why, "%s %s", path, why) < 0)
		*ret_why = NULL;
	return -EINVAL;
}

/* Why a file is not one to trust, or NULL. */
static const char *distrust(const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return "is no regular file";
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return "belongs to another user";
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return "may be written by others";
	return st->st_size > KEY_FILE_MAX ? "is larger than 1 MiB" : NULL;
}

static int open_file(const char *path, struct stat *ret_st, char **ret_why)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const char *why;

	if (fd < 0 || fstat(fd, ret_st) < 0)
		return refuse(ret_why, path, strerror(errno));
	why = distrust(ret_st);
	return why != NULL ? refuse(ret_why, path, why) : TAKE_FD(fd);
}

/* What is wrong with the text, all that is, one problem a line. */
static int check_problems(const struct config *c, char **ret_why)
{
	CLEANUP(textbuf_done) struct textbuf t = { 0 };
	const struct config_problem *p;
	size_t n = config_problems(c, &p);

	for (size_t i = 0; i < n; i++) {
		if (t.len > 0)
			textbuf_putc(&t, '\n');
		config_problem_print(&p[i], &t);
	}
	if (!config_is_broken(c))
		return 0;
	*ret_why = textbuf_steal(&t);
	return -EINVAL;
}

/* A key may stand in the buffer until config_merge_text() has blanked it. */
static int load_text(const char *path, int fd, size_t size, struct service_plan *plan, char **ret_why)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	CLEANUP(freep) char *directory = strdup(path);
	char *slash = directory != NULL ? strrchr(directory, '/') : NULL;
	int err = read_whole(fd, size, &text);

	if (slash != NULL)
		*slash = '\0';
	if (err == 0)
		err = config_new(&plan->config);
	if (err == 0)
		err = config_set_places(plan->config, NULL, slash != NULL ? directory : ".");
	if (err == 0)
		err = config_merge_text(plan->config, LAYER_FILE, path, text.p, text.len);
	if (text.p != NULL && err < 0)
		explicit_bzero(text.p, text.len);
	if (err == 0)
		err = config_finish(plan->config);
	return err < 0 ? err : check_problems(plan->config, ret_why);
}

static struct bytes bytes_of(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

static void add_key(struct model_request *q, enum key_kind kind, const char *text)
{
	q->keys[q->n_keys++] = (struct key_source){ .kind = kind, .from_file = true, .text = bytes_of(text) };
}

static int check_key_file(const char *path, char **ret_why)
{
	struct stat st;
	int fd = open_file(path, &st, ret_why);

	if (fd < 0)
		return fd;
	close(fd);
	return (st.st_mode & S_IROTH) != 0 ? refuse(ret_why, path, "holds a key and may be read by others") : 0;
}

/* From the file itself, the file it names, or systemd; never from the environment, which every child would show. */
static int find_key(struct service_plan *plan, const char *path, mode_t mode, int *fd, char **ret_why)
{
	bool jev = plan->base.protocol == MODEL_JEV;
	enum config_key literal = jev ? CFG_JEV_API_KEY : CFG_LLM_API_KEY;
	enum config_key file = jev ? CFG_JEV_API_KEY_FILE : CFG_LLM_API_KEY_FILE;
	const char *said = config_string(plan->config, literal), *named = config_string(plan->config, file);

	if (strncmp(said, "env:", 4) == 0)
		return refuse(ret_why, path, "takes the key from a variable, which a service does not");
	if (*said != '\0' && (mode & S_IROTH) != 0)
		return refuse(ret_why, path, "holds a key and may be read by others");
	if (*said != '\0') {
		add_key(&plan->base, KEY_LITERAL, config_specs[literal].path);
		plan->config_fd = TAKE_FD(*fd);
	}
	if (*named != '\0') {
		add_key(&plan->base, KEY_FILE, named);
		return check_key_file(named, ret_why);
	}
	if (plan->credential != NULL && access(plan->credential, R_OK) == 0)
		add_key(&plan->base, KEY_FILE, plan->credential);
	return 0;
}

static void add_model(struct service_plan *plan, const char *name)
{
	if (*name != '\0' && plan->n_models < SERVICE_MODELS_MAX)
		plan->models[plan->n_models++] = bytes_of(name);
}

static void find_models(struct service_plan *plan)
{
	const struct config *c = plan->config;
	const char *const *more;
	size_t n;

	if (plan->base.protocol == MODEL_JEV) {
		add_model(plan, config_string(c, CFG_JEV_MODEL));
		return;
	}
	add_model(plan, config_string(c, CFG_LLM_MODEL));
	add_model(plan, config_string(c, CFG_LLM_TRIAGE_MODEL));
	add_model(plan, config_string(c, CFG_LLM_FALLBACK_MODEL));
	n = config_strings(c, CFG_LLM_FALLBACK_MODELS, &more);
	for (size_t i = 0; i < n; i++)
		add_model(plan, more[i]);
}

static int find_places(struct service_plan *plan)
{
	const struct config *c = plan->config;
	struct model_request *q = &plan->base;
	bool jev = q->protocol == MODEL_JEV;
	const char *instructions = config_string(c, jev ? CFG_JEV_INSTRUCTIONS_APPEND : CFG_LLM_INSTRUCTIONS_APPEND);
	struct json_object *extra = config_object(c, CFG_LLM_EXTRA_BODY);
	struct textbuf body = { 0 };
	struct jsonout o = JSONOUT(&body);
	const char *const *hosts;
	size_t n = config_strings(c, CFG_LLM_ALLOW_HTTP, &hosts);

	q->origin_from_file = true;
	q->url = bytes_of(config_string(c, jev ? CFG_JEV_BASE_URL : CFG_LLM_BASE_URL));
	q->ca_file = bytes_of(config_string(c, CFG_LLM_CA_FILE));
	q->proxy = bytes_of(config_string(c, CFG_LLM_PROXY));
	q->max_tokens = (uint32_t)config_int(c, CFG_LLM_MAX_TOKENS);
	q->timeout_ms = (uint32_t)config_int(c, jev ? CFG_JEV_TIMEOUT_MS : CFG_LLM_TIMEOUT_MS);
	q->prompt.instructions = bytes_of(*instructions != '\0' ? instructions :
		config_string(c, CFG_POLICY_INSTRUCTIONS_APPEND));
	if (extra != NULL)
		jsonout_value(&o, extra);
	if (body.failed)
		return -ENOMEM;
	q->extra_body = textbuf_bytes(&body); /* kept as long as the plan, which is to the end */
	q->allow_http.items = n > 0 ? calloc(n, sizeof(*q->allow_http.items)) : NULL;
	if (n > 0 && q->allow_http.items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		q->allow_http.items[i] = bytes_of(hosts[i]);
	q->allow_http.n = (uint32_t)n;
	return 0;
}

/*
 * A prompt file that is named and not there must not silently become our own prompt; nor must one that is changed
 * answer for what was asked with another: it is read here, and no more.
 */
static int load_prompt(struct service_plan *plan, char **ret_why)
{
	const char *path = config_string(plan->config, CFG_LLM_SYSTEM_PROMPT_FILE);
	CLEANUP(close_fdp) int fd = -1;
	struct stat st;

	if (plan->base.protocol != MODEL_CHAT || *path == '\0')
		return 0;
	fd = open_file(path, &st, ret_why);
	if (fd < 0)
		return fd;
	return st.st_size > PROMPT_FILE_MAX ? refuse(ret_why, path, "is larger than 64 KiB") :
		read_whole(fd, (size_t)st.st_size, &plan->system);
}

static int name_run(struct service_plan *plan)
{
	return getrandom(plan->run, sizeof(plan->run), 0) == (ssize_t)sizeof(plan->run) ? 0 : -EIO;
}

int service_plan_load(const char *path, const char *credentials, struct service_plan *ret, char **ret_why)
{
	struct service_plan plan = { .config_fd = -1 };
	struct stat st;
	CLEANUP(close_fdp) int fd = open_file(path, &st, ret_why);
	const char *provider;
	int err = fd < 0 ? fd : 0;

	if (credentials != NULL && asprintf(&plan.credential, "%s/%s", credentials, credential_name) < 0)
		return -ENOMEM;
	if (err == 0)
		err = load_text(path, fd, (size_t)st.st_size, &plan, ret_why);
	if (err < 0)
		return err;
	provider = config_string(plan.config, CFG_LLM_PROVIDER);
	if (strcmp(provider, "offline") == 0)
		return refuse(ret_why, path, "names no provider that could be asked");
	plan.base.protocol = strcmp(provider, "jev") == 0 ? MODEL_JEV : MODEL_CHAT;
	plan.warm = (uint32_t)config_int(plan.config, CFG_NETPROC_WARM);
	plan.per_uid = (uint32_t)config_int(plan.config, CFG_NETPROC_PER_UID);
	plan.per_minute = (uint32_t)config_int(plan.config, CFG_NETPROC_PER_MINUTE);
	plan.idle_exit_ms = (uint64_t)config_int(plan.config, CFG_NETPROC_IDLE_EXIT_MS);
	find_models(&plan);
	err = find_places(&plan);
	if (err == 0)
		err = load_prompt(&plan, ret_why);
	if (err == 0)
		err = find_key(&plan, path, st.st_mode, &fd, ret_why);
	if (err == 0)
		err = name_run(&plan);
	if (err == 0)
		*ret = plan;
	return err;
}
