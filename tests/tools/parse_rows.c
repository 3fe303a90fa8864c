/* SPDX-License-Identifier: Apache-2.0 */
/* The parser behind JSON lines, without the processes around it: {"id","command","dialect"?,"home"?} in, rows as `parse`
 * prints them out. */
#include <json-c/json.h>
#include <stdio.h>

#include "policy/listing.h"
#include "worker/listing.h"
#include "worker/shell/dialect.h"

static json_object *text(struct bytes b)
{
	return json_object_new_string_len(b.p ? b.p : "", (int)b.len);
}

struct view {
	json_object *line, *commands, *command, *list;
	const char *list_name;
};

static void on_line(void *data, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed, bool modelled,
	struct bytes why)
{
	struct view *v = data;

	(void)row_id_set;
	(void)row;
	json_object_object_add(v->line, "id", text(row_id));
	json_object_object_add(v->line, "parse", json_object_new_boolean(parsed));
	json_object_object_add(v->line, "modelled", json_object_new_boolean(modelled));
	if (why.len)
		json_object_object_add(v->line, "why", text(why));
	v->commands = json_object_new_array();
	json_object_object_add(v->line, "cmds", v->commands);
}

static void on_command(void *data, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src)
{
	struct view *v = data;

	(void)verdict;
	(void)why;
	(void)src;
	v->command = json_object_new_object();
	json_object_array_add(v->commands, v->command);
	v->list = json_object_new_array();
	json_object_object_add(v->command, "argv", v->list);
	json_object_object_add(v->command, "context", text(context));
}

static void on_word(void *data, bool is_static, struct bytes value)
{
	struct view *v = data;

	json_object_array_add(v->list, is_static ? text(value) : NULL);
}

static json_object *list(struct view *v, const char *name)
{
	json_object *l;

	if (!json_object_object_get_ex(v->command, name, &l)) {
		l = json_object_new_array();
		json_object_object_add(v->command, name, l);
	}
	return l;
}

static void on_assignment(void *data, struct bytes src)
{
	json_object_array_add(list(data, "assigns"), text(src));
}

static void on_redirect(void *data, const struct listing_redirect *r)
{
	json_object *o = json_object_new_object();

	if (r->fd >= 0)
		json_object_object_add(o, "fd", json_object_new_int(r->fd));
	json_object_object_add(o, "op", text(r->op));
	json_object_object_add(o, "target", r->target_static ? text(r->target) : NULL);
	json_object_array_add(list(data, "redirs"), o);
}

static const struct listing_visitor visitor = {
	.line = on_line, .command = on_command, .word = on_word, .assignment = on_assignment, .redirect = on_redirect,
};

static int answer(struct arena *arena, json_object *row)
{
	CLEANUP(wr_done) struct writer body = { 0 };
	json_object *id, *command, *name;
	struct shell_options options = { .dialect = DIALECT_BASH };
	struct script *script;
	struct view v = { 0 };
	struct bytes text_of, id_text;
	int r;

	if (!json_object_object_get_ex(row, "id", &id) || !json_object_object_get_ex(row, "command", &command))
		return -EINVAL;
	if (json_object_object_get_ex(row, "dialect", &name))
		dialect_from_name((struct bytes){ json_object_get_string(name),
				(size_t)json_object_get_string_len(name) },
			&options.dialect);
	if (json_object_object_get_ex(row, "home", &name))
		options.home = (struct bytes){ json_object_get_string(name), (size_t)json_object_get_string_len(name) };
	text_of = (struct bytes){ json_object_get_string(command), (size_t)json_object_get_string_len(command) };
	id_text = (struct bytes){ json_object_get_string(id), (size_t)json_object_get_string_len(id) };
	r = shell_parse(arena, text_of, &options, &script);
	if (r == 0)
		r = listing_from_script(&body, script, NULL, id_text, true, 0);
	if (r < 0)
		return r;
	v.line = json_object_new_object();
	r = listing_walk((struct bytes){ body.p, body.len }, &visitor, &v);
	if (r == 0)
		puts(json_object_to_json_string_ext(v.line, JSON_C_TO_STRING_PLAIN));
	json_object_put(v.line);
	return r;
}

/* The table of constructs that dialects read differently, one JSON object a line. */
static int print_constructs(void)
{
	for (size_t i = 0; i < CONSTRUCT__MAX; i++) {
		json_object *row = json_object_new_object(), *differs = json_object_new_array();

		for (int d = 0; d < DIALECT__MAX; d++)
			if (constructs[i].differs & (1u << d))
				json_object_array_add(differs, json_object_new_string(dialect_name((enum dialect)d)));
		json_object_object_add(row, "name", json_object_new_string(constructs[i].name));
		json_object_object_add(row, "differs", differs);
		json_object_object_add(row, "example", json_object_new_string(constructs[i].example));
		puts(json_object_to_json_string_ext(row, JSON_C_TO_STRING_PLAIN));
		json_object_put(row);
	}
	return 0;
}

int main(int argc, char **argv)
{
	CLEANUP(arena_done) struct arena arena = { 0 };
	CLEANUP(freep) char *line = NULL;
	size_t size = 0;
	int failed = 0;

	if (argc == 2 && strcmp(argv[1], "--constructs") == 0)
		return print_constructs();
	while (getline(&line, &size, stdin) > 0) {
		json_object *row = json_tokener_parse(line);

		arena_reset(&arena);
		if (!row || answer(&arena, row) < 0)
			failed = 1;
		json_object_put(row);
	}
	return failed;
}
