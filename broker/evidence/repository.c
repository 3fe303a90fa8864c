/* SPDX-License-Identifier: Apache-2.0 */
/* Answers about repositories: which one git would find, what it is, where a push from it goes, what its files are. */
#include <stdio.h>

#include "broker/evidence/reader.h"
#include "policy/environment.h"

enum found { FOUND_NONE, FOUND_TREE, FOUND_BARE, FOUND_UNKNOWN };

/* Variables of git that change neither which repository it finds nor which settings it reads. */
static const char *const harmless_names[] = {
	"GIT_ASKPASS", "GIT_AUTHOR_DATE", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE",
	"GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME", "GIT_EDITOR", "GIT_LFS_SKIP_SMUDGE", "GIT_MERGE_AUTOEDIT",
	"GIT_OPTIONAL_LOCKS", "GIT_PAGER", "GIT_PS1_SHOWDIRTYSTATE", "GIT_PS1_SHOWUPSTREAM", "GIT_SEQUENCE_EDITOR",
	"GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_TERMINAL_PROMPT",
};

/* `variable`: a name, or with its value. Of those whose value is known, it may change neither of the two. */
static bool interferes(struct broker *b, struct evidence *e, const struct workspace *w, const char *variable)
{
	char name[128];
	size_t n = strcspn(variable, "=");

	if (strncmp(variable, "GIT_", 4) != 0)
		return false;
	if (n >= sizeof(name))
		return true;
	memcpy(name, variable, n);
	name[n] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(harmless_names); i++)
		if (strcmp(name, harmless_names[i]) == 0)
			return false;
	return environment_value_of((struct bytes){ name, n }) == ENVIRONMENT_ANY ||
		!variable_is_harmless(b, e, w, name);
}

static bool environment_interferes(struct broker *b, struct evidence *e)
{
	const struct workspace *w = &e->workspace;

	for (char **v = b->start.other_names; v != NULL && *v != NULL; v++)
		if (interferes(b, e, w, *v))
			return true;
	for (char **v = b->start.environment; v != NULL && *v != NULL; v++)
		if (interferes(b, e, w, *v))
			return true;
	return false;
}

static enum path_type look(struct evidence *e, const char *directory, const char *name)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;

	if (snprintf(path, sizeof(path), "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name) >=
		(int)sizeof(path))
		return PATH_UNKNOWN;
	resolve_path(e->mounts, path, false, &r);
	return r.remote || r.unreadable ? PATH_UNKNOWN : r.type;
}

/* The order of setup_git_directory_gently(): .git, then the directory itself, then the one above. */
static enum found find(struct evidence *e, char *directory)
{
	for (;;) {
		enum path_type git = look(e, directory, ".git"), head;
		char *slash;

		if (git == PATH_DIRECTORY || git == PATH_FILE)
			return FOUND_TREE;
		head = look(e, directory, "HEAD");
		if (git == PATH_UNKNOWN || head == PATH_UNKNOWN)
			return FOUND_UNKNOWN;
		if (head != PATH_MISSING && look(e, directory, "objects") == PATH_DIRECTORY &&
			look(e, directory, "refs") == PATH_DIRECTORY)
			return FOUND_BARE;
		if (strcmp(directory, "/") == 0)
			return FOUND_NONE;
		slash = strrchr(directory, '/');
		slash[slash == directory ? 1 : 0] = '\0';
	}
}

/* The repository around a directory, at *ret (RESOLVE_PATH_MAX bytes). */
static enum found find_from(struct evidence *e, struct bytes base, struct bytes text, char *ret)
{
	char path[2 * RESOLVE_PATH_MAX];
	struct resolved r;

	if (text.len > 0 && text.p[0] == '/')
		snprintf(path, sizeof(path), "%.*s", (int)text.len, text.p);
	else
		snprintf(path, sizeof(path), "%.*s/%.*s", (int)base.len, base.p, (int)text.len, text.p);
	if (strlen(path) >= RESOLVE_PATH_MAX)
		return FOUND_UNKNOWN;
	resolve_path(e->mounts, path, false, &r);
	/* Git cannot be run in what is not there; if the line makes it, it is of the repository around it. */
	if (r.remote || r.unreadable || (r.type != PATH_DIRECTORY && r.type != PATH_MISSING))
		return FOUND_UNKNOWN;
	memcpy(ret, r.real, r.real_len + 1);
	return find(e, ret);
}

static int refused(struct answer *ret, struct bytes why)
{
	ret->status = ANSWER_REFUSED;
	return answer_text(&ret->detail, why.p, why.len);
}

/* Facts of the repository around question's base. 0: *ret is filled where *ret_found is TREE or BARE; else *answer. */
static int facts_around(struct broker *b, struct evidence *e, const struct question *q, char *root,
	struct git_answer *ret, enum found *ret_found, struct answer *answer)
{
	const enum found found = environment_interferes(b, e) ? FOUND_UNKNOWN : find_from(e, q->base, BYTES("."), root);
	int err;

	*ret_found = found;
	if (found == FOUND_NONE) {
		answer->status = ANSWER_KNOWN;
		answer->type = PATH_MISSING;
		return 0;
	}
	if (found == FOUND_UNKNOWN)
		return refused(answer, BYTES("which repository git would use is not known"));
	err = reader_ask(b, e, root, found == FOUND_BARE, GIT_ASK_FACTS, BYTES(""), ret);
	if (err < 0)
		return err;
	if (ret->outcome == GIT_FACTS && ret->facts.len <= ANSWER_BYTES_MAX)
		return 0;
	*ret_found = FOUND_UNKNOWN;
	return refused(answer, ret->outcome == GIT_REFUSED ? ret->text : BYTES("it has too many settings"));
}

int answer_repository(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret)
{
	char root[RESOLVE_PATH_MAX];
	struct git_answer a;
	enum found found;
	int err = facts_around(b, e, q, root, &a, &found, ret);

	if (err < 0 || (found != FOUND_TREE && found != FOUND_BARE))
		return err;
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_DIRECTORY;
	err = answer_text(&ret->real, root, strlen(root));
	if (err == 0)
		err = answer_text(&ret->detail, a.facts.p, a.facts.len);
	if (err == 0)
		err = hide_facts_credentials(ret);
	if (err >= 0)
		return 0;
	evidence_answer_done(ret);
	return err == -EPROTO ? refused(ret, BYTES("the process that reads repositories failed")) : err;
}

int repository_know(struct broker *b, struct evidence *e, struct bytes directory, struct known_repository *ret)
{
	const struct question q = { .kind = ASK_REPOSITORY, .base = directory };
	char root[RESOLVE_PATH_MAX];
	struct answer refusal = { 0 };
	struct git_answer a;
	enum found found;
	int err = facts_around(b, e, &q, root, &a, &found, &refusal);

	evidence_answer_done(&refusal);
	if (err < 0 || found != FOUND_TREE)
		return err < 0 ? err : found == FOUND_UNKNOWN ? -ENODATA : -ENOENT;
	err = answer_text(&ret->body, a.facts.p, a.facts.len);
	return err < 0 ? err : git_facts_decode(ret->body, &ret->facts);
}

void repository_forget(struct known_repository *k)
{
	free((void *)(uintptr_t)k->body.p);
	k->body = (struct bytes){ NULL, 0 };
}

int answer_push(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret)
{
	CLEANUP(freep) struct git_facts *facts = malloc(sizeof(*facts));
	CLEANUP(wr_done) struct writer w = { 0 };
	char root[RESOLVE_PATH_MAX], text[4 * GIT_TEXT_MAX];
	struct git_answer a;
	struct git_push push;
	enum found found;
	int err;

	if (facts == NULL)
		return -ENOMEM;
	err = facts_around(b, e, q, root, &a, &found, ret);
	if (err < 0 || (found != FOUND_TREE && found != FOUND_BARE))
		return err;
	if (git_facts_decode(a.facts, facts) < 0)
		return refused(ret, BYTES("the process that reads repositories failed"));
	git_push_resolve(facts, q->text, text, sizeof(text), &push);
	git_push_encode(&w, &push);
	if (w.bad)
		return -ENOMEM;
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_DIRECTORY;
	err = answer_text(&ret->detail, w.p, w.len);
	return err < 0 ? err : hide_push_credentials(ret);
}

/* Splits where a path really lies into the repository around it and what remains. */
static enum found find_around(
	struct evidence *e, const struct question *q, char *root, struct bytes *ret_below, char *real)
{
	char path[2 * RESOLVE_PATH_MAX];
	struct resolved r;
	enum found found;
	char *slash;
	size_t n;

	if (q->text.p[0] == '/')
		snprintf(path, sizeof(path), "%.*s", (int)q->text.len, q->text.p);
	else
		snprintf(path, sizeof(path), "%.*s/%.*s", (int)q->base.len, q->base.p, (int)q->text.len, q->text.p);
	if (strlen(path) >= RESOLVE_PATH_MAX)
		return FOUND_UNKNOWN;
	resolve_path(e->mounts, path, q->kind == ASK_WORK, &r);
	if (r.remote || r.unreadable || r.type == PATH_UNKNOWN || r.real_len < 2)
		return FOUND_UNKNOWN;
	memcpy(real, r.real, r.real_len + 1);
	memcpy(root, r.real, r.real_len + 1);
	if (r.type != PATH_DIRECTORY) {
		slash = strrchr(root, '/');
		slash[slash == root ? 1 : 0] = '\0';
	}
	found = find(e, root);
	n = strlen(root);
	*ret_below = (struct bytes){ real + n, r.real_len - n };
	while (ret_below->len > 0 && ret_below->p[0] == '/')
		*ret_below = (struct bytes){ ret_below->p + 1, ret_below->len - 1 };
	return found;
}

int answer_state(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret)
{
	const enum git_ask ask = q->kind == ASK_STATE ? GIT_ASK_FILE : GIT_ASK_BELOW;
	char root[RESOLVE_PATH_MAX], real[RESOLVE_PATH_MAX];
	struct bytes below = { NULL, 0 };
	struct git_answer a;
	enum found found = environment_interferes(b, e) ? FOUND_UNKNOWN : find_around(e, q, root, &below, real);
	int err;

	if (found == FOUND_NONE) {
		ret->status = ANSWER_KNOWN;
		ret->type = PATH_MISSING;
		return 0;
	}
	if (found != FOUND_TREE)
		return refused(ret, BYTES("it lies in no worktree that can be read"));
	err = reader_ask(b, e, root, false, ask, below, &a);
	if (err < 0)
		return err;
	if (a.outcome != (ask == GIT_ASK_FILE ? GIT_FILE : GIT_BELOW))
		return refused(ret, a.text);
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_DIRECTORY;
	ret->size = a.state;
	err = answer_text(&ret->real, root, strlen(root));
	if (err == 0)
		err = answer_text(&ret->detail, a.text.p, a.text.len);
	if (err < 0)
		evidence_answer_done(ret);
	else if (ask == GIT_ASK_FILE && (a.state & GIT_FILE_LANDED) != 0 &&
		remote_is_trusted(b, e, q, root, ret->detail))
		ret->size |= GIT_FILE_TRUSTED;
	return err;
}
