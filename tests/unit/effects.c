/* SPDX-License-Identifier: Apache-2.0 */
/* What command lines do: cases for the engine and the models, and a walk over every table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/effects_cases.h"
#include "tests/unit/effects_render.h"
#include "tests/unit/effects_names.h"

/* Every written case of every table. */
static void programs_do_what_they_do(void **state)
{
	size_t n, wrong = 0;
	const struct effects_cases *tables = effects_tables(&n);

	(void)state;
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < tables[t].n; i++) {
			const struct effects_case *c = &tables[t].cases[i];
			const char *got = effects_render(c->line);

			if (strcmp(got, c->effects) == 0)
				continue;
			print_error("%s: %s\n  wanted: %s\n  got:    %s\n", tables[t].about, c->line,
				c->effects, got);
			wrong++;
		}
	assert_int_equal(wrong, 0);
}

static void names_are_sorted(void **state)
{
	size_t n;
	const struct named_model *names = model_names(&n);

	(void)state;
	assert_true(n > 300);
	for (size_t i = 0; i < n; i++) {
		struct bytes name = { names[i].name, strlen(names[i].name) };

		if (i && strcmp(names[i - 1].name, names[i].name) >= 0)
			fail_msg("%s stands before %s", names[i - 1].name, names[i].name);
		assert_ptr_equal(model_by_name(name), names[i].model);
	}
	assert_null(model_by_name(BYTES("")));
	assert_null(model_by_name(BYTES("a program that does not exist")));
}

/* getopt(3) notation: letters, each with at most two colons behind it. */
static void check_shorts(const struct command_model *m)
{
	for (const char *p = m->shorts; p && *p; p++) {
		if (*p == ':' && (p == m->shorts || (p[-1] == ':' && (p < m->shorts + 2 || p[-2] == ':'))))
			fail_msg("%s: options \"%s\"", m->name, m->shorts);
		if (*p == ' ' || *p == '-')
			fail_msg("%s: options \"%s\"", m->name, m->shorts);
	}
}

/* Names without dashes in front, no name twice. */
static void check_longs(const struct command_model *m, const char *list)
{
	for (const char *p = list; p && *p;) {
		size_t n = strcspn(p, " "), name = strcspn(p, " ?=");

		if (n == 0 || p[0] == '-' || name == 0)
			fail_msg("%s: long options \"%.40s\"", m->name, p);
		p += n;
		p += *p == ' ';
	}
}

static void check_model(const struct command_model *m, unsigned int depth)
{
	bool says =
		m->rules || m->special || m->reader || m->wrapping || m->subcommands || m->refuse || m->input;

	assert_non_null(m->name);
	assert_true(depth < 4);
	check_shorts(m);
	check_longs(m, m->longs);
	for (const struct option_rule *o = m->options; o && (o->shorts || o->longs); o++) {
		check_longs(m, o->longs);
		says = says || o->action != IGNORE;
		if (o->action == EFFECT_OF_VALUE || o->action == EFFECT_FIXED) {
			if (o->effect <= EFFECT_UNKNOWN || o->effect >= EFFECT__MAX)
				fail_msg("%s: an option without an effect", m->name);
		} else if (o->action == REFUSE && !o->text) {
			fail_msg("%s: an option refused without a reason", m->name);
		} else if (o->action == CALL && !m->option) {
			fail_msg("%s: an option that nobody reads", m->name);
		}
		if (o->action == EFFECT_OF_VALUE && o->arity == NOTHING)
			fail_msg("%s: an effect of a value that is never there", m->name);
	}
	for (const struct operand_rule *r = m->rules; r && r->position != END; r++)
		if (r->effect <= EFFECT_UNKNOWN || r->effect >= EFFECT__MAX)
			fail_msg("%s: a rule without an effect", m->name);
	if (!says)
		fail_msg("%s: a model that says nothing", m->name);
	for (const struct command_model *s = m->subcommands; s && s->name; s++)
		check_model(s, depth + 1);
	if (m->reader && m->more)
		check_model(m->more, depth + 1);
	for (const struct command_model *s = m->reader ? NULL : m->more; s && s->name; s++)
		check_model(s, depth + 1);
}

static void models_are_whole(void **state)
{
	size_t n;
	const struct named_model *names = model_names(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		check_model(names[i].model, 0);
}

/* Every effect and place has words; what is not in the table is open, and no place is both vouched for and
 * unknown. */
static void policy_is_total(void **state)
{
	(void)state;
	for (int e = EFFECT_UNKNOWN + 1; e < EFFECT__MAX; e++) {
		assert_true(strlen(effect_name((enum effect_id)e)) > 2);
		assert_true(strlen(effect_verb((enum effect_id)e)) > 2);
		for (int p = PLACE_UNKNOWN; p < PLACE__MAX; p++) {
			struct effect_rule r = effect_rule((enum effect_id)e, (enum place)p);

			assert_true((r.ruling == RULING_HARM) == (r.harm != HARM_NONE));
			if (effect_target((enum effect_id)e) == TARGET_PATH && p == PLACE_UNKNOWN &&
				e != EFFECT_LIST && e != EFFECT_ENTER)
				assert_int_not_equal(r.ruling, RULING_VOUCHED);
		}
	}
	assert_int_equal(effect_rule(EFFECT_UNKNOWN, PLACE_NONE).ruling, RULING_OPEN);
	assert_int_equal(effect_rule(EFFECT__MAX, PLACE_NONE).ruling, RULING_OPEN);
	assert_int_equal(effect_rule(EFFECT_READ, PLACE__MAX).ruling, RULING_OPEN);
	assert_int_equal(effect_rule((enum effect_id) - 1, (enum place) - 1).ruling, RULING_OPEN);
	for (int p = 0; p < PLACE__MAX; p++)
		assert_true(strlen(place_name((enum place)p)) > 0);
	for (int h = 0; h < HARM__MAX; h++)
		assert_true(strlen(harm_phrase((enum harm)h)) > 0);
}

/* The rows that matter most, so that no edit of the table turns them. */
static void policy_rules_as_designed(void **state)
{
	static const struct {
		enum effect_id effect;
		enum place place;
		enum ruling ruling;
		enum harm harm;
	} rows[] = {
		{ EFFECT_READ, PLACE_WORKTREE, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_READ, PLACE_SECRET, RULING_HARM, HARM_CREDENTIAL },
		{ EFFECT_LIST, PLACE_SECRET, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_SEARCH, PLACE_HOME, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_SEARCH, PLACE_ABOVE, RULING_OPEN, HARM_NONE },
		{ EFFECT_CREATE, PLACE_WORKSPACE, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_WRITE, PLACE_WORKSPACE, RULING_OPEN, HARM_NONE },
		{ EFFECT_WRITE, PLACE_WORKTREE, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_WRITE, PLACE_SENSITIVE, RULING_OPEN, HARM_NONE },
		{ EFFECT_WRITE, PLACE_STARTUP, RULING_OPEN, HARM_NONE },
		{ EFFECT_WRITE, PLACE_GATE, RULING_HARM, HARM_SELF },
		{ EFFECT_WRITE, PLACE_SYSTEM, RULING_OPEN, HARM_NONE },
		{ EFFECT_DELETE_TREE, PLACE_BUILD, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_DELETE_TREE, PLACE_ROOT, RULING_HARM, HARM_DATA },
		{ EFFECT_DELETE_TREE, PLACE_ABOVE, RULING_HARM, HARM_DATA },
		{ EFFECT_DELETE_TREE, PLACE_HOME, RULING_OPEN, HARM_NONE },
		{ EFFECT_MODE_OPEN, PLACE_SYSTEM, RULING_HARM, HARM_ACCESS },
		{ EFFECT_RAW_DEVICE, PLACE_DEVICE, RULING_HARM, HARM_SYSTEM },
		{ EFFECT_EXECUTE, PLACE_WORKTREE, RULING_OPEN, HARM_NONE },
		{ EFFECT_RUN_PROJECT, PLACE_WORKTREE, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_RUN_PROJECT, PLACE_SCRATCH, RULING_OPEN, HARM_NONE },
		{ EFFECT_UPLOAD, PLACE_OUTSIDE, RULING_HARM, HARM_EXFILTRATION },
		{ EFFECT_UPLOAD, PLACE_SANCTIONED, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_UPLOAD, PLACE_UNKNOWN, RULING_OPEN, HARM_NONE },
		{ EFFECT_FETCH, PLACE_OUTSIDE, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_FETCH_COMPUTED, PLACE_OUTSIDE, RULING_OPEN, HARM_NONE },
		{ EFFECT_GIT_PUSH, PLACE_SANCTIONED, RULING_VOUCHED, HARM_NONE },
		{ EFFECT_GIT_PUSH_FORCE, PLACE_SANCTIONED, RULING_OPEN, HARM_NONE },
		{ EFFECT_GIT_PUSH_PROTECTED, PLACE_SANCTIONED, RULING_HARM, HARM_DATA },
		{ EFFECT_GIT_REMOTE_CONFIG, PLACE_SANCTIONED, RULING_OPEN, HARM_NONE },
		{ EFFECT_GUARD_OVERRIDE, PLACE_NONE, RULING_HARM, HARM_GUARD },
		{ EFFECT_DB_DESTROY, PLACE_NONE, RULING_HARM, HARM_DATA },
		{ EFFECT_FIREWALL_OFF, PLACE_NONE, RULING_HARM, HARM_LOCKOUT },
		{ EFFECT_SIGNAL_ALL, PLACE_NONE, RULING_HARM, HARM_SYSTEM },
		{ EFFECT_PRINT_ENVIRONMENT, PLACE_NONE, RULING_OPEN, HARM_NONE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct effect_rule r = effect_rule(rows[i].effect, rows[i].place);

		if (r.ruling != rows[i].ruling || r.harm != rows[i].harm)
			fail_msg("%s in %s", effect_name(rows[i].effect), place_name(rows[i].place));
	}
}

static void secrets_are_told_by_their_names(void **state)
{
	static const char *const secret[] = { "API_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY",
		"DB_PASSWORD", "OPENAI_API_KEY", "npm_config__authToken", "PGPASSWORD", "SESSION_COOKIE",
		"STRIPE_KEY" };
	static const char *const plain[] = { "HOME", "PATH", "SHELL", "CI", "NODE_ENV", "USER", "LANG",
		"KEYBOARD", "PWD" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secret); i++)
		assert_true(variable_is_secret((struct bytes){ secret[i], strlen(secret[i]) }));
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_false(variable_is_secret((struct bytes){ plain[i], strlen(plain[i]) }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_do_what_they_do),
		cmocka_unit_test(names_are_sorted),
		cmocka_unit_test(models_are_whole),
		cmocka_unit_test(policy_is_total),
		cmocka_unit_test(policy_rules_as_designed),
		cmocka_unit_test(secrets_are_told_by_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
