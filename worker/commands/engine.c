/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of an invocation to what it does: names, models, subcommands and the rules on operands. */
#include "policy/environment.h"
#include "worker/commands/model.h"

static int width(struct bytes b)
{
	return b.len > 80 ? 80 : (int)b.len;
}

bool program_name(struct bytes word, struct bytes *ret_name)
{
	const char *slash = word.len ? memrchr(word.p, '/', word.len) : NULL;
	struct bytes name = word;

	if (slash) {
		name = bytes_from(word, (size_t)(slash + 1 - word.p));
		if (!environment_is_program_directory((struct bytes){ word.p, (size_t)(slash - word.p) }) ||
			bytes_is(name, ".") || bytes_is(name, ".."))
			return false;
	}
	if (name.len == 0)
		return false;
	*ret_name = name;
	return true;
}

bool command_known(struct bytes name)
{
	struct bytes program;

	return program_name(name, &program) && model_by_name(program);
}

/* Tools that a project brings along: .venv/bin/pytest, node_modules/.bin/jest. The last component must have a
 * model that allows it. */
static const struct command_model *project_tool(struct bytes word)
{
	const char *slash = memrchr(word.p, '/', word.len);
	struct bytes directory = { word.p, (size_t)(slash - word.p) };
	const struct command_model *m = model_by_name(bytes_from(word, directory.len + 1));

	if (!m || !(m->syntax & PROJECT_TOOL))
		return NULL;
	if (bytes_end(directory, "/bin") || bytes_end(directory, "/.bin") || bytes_is(directory, "bin"))
		return m;
	return NULL;
}

static bool is_subcommand(const char *names, struct bytes word, bool folded)
{
	for (const char *p = names; *p;) {
		size_t n = strcspn(p, "|");

		if (n == word.len && (folded ? strncasecmp(p, word.p, n) : memcmp(p, word.p, n)) == 0)
			return true;
		p += n;
		if (*p == '|')
			p++;
	}
	return false;
}

static const struct command_model *find_subcommand(const struct command_model *model, struct bytes name)
{
	const struct command_model *const lists[] = { model->subcommands, model->more };

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (const struct command_model *m = lists[i]; m && m->name; m++)
			if (is_subcommand(m->name, name, model->syntax & FOLDED))
				return m;
	return NULL;
}

bool run_has_subcommand(const struct command_model *model, struct bytes name)
{
	return find_subcommand(model, name) != NULL;
}

static void extend_program(struct run *run, struct bytes subcommand)
{
	run->out->program = run_join(run, run_join(run, run->out->program, BYTES(" ")), subcommand);
}

static void run_subcommand(struct run *run)
{
	const struct command_model *m;
	const struct arg *name;
	struct run sub;

	if (run->n_operands == 0) {
		if (!(run->model->syntax & SUBCOMMAND_ALONE_OK) && run->n_options == 0)
			run_open(run, "%s without a subcommand is not known to the gate", run->model->name);
		return;
	}
	name = &run->operands[0];
	if (!name->is_static) {
		run_open(run, "the subcommand of %s is not known before it runs", run->model->name);
		return;
	}
	m = find_subcommand(run->model, name->text);
	if (!m) {
		run_open(run, "%.*s %.*s is not known to the gate", width(run->out->program),
			run->out->program.p, width(name->text), name->text.p);
		return;
	}
	extend_program(run, name->text);
	sub = *run;
	sub.outer = run;
	sub.argv = run->operands + 1;
	sub.argc = run->n_operands - 1;
	sub.operands = NULL;
	sub.n_operands = 0;
	run_model(&sub, m);
	run->failed = sub.failed;
}

/* The operands a position stands for, as [*from, *to). */
static void positions(enum position position, uint32_t n, uint32_t *from, uint32_t *to)
{
	*from = 0;
	*to = 0;
	switch (position) {
	case EACH:
		*to = n;
		break;
	case FIRST:
		*to = n ? 1 : 0;
		break;
	case SECOND:
		*from = 1;
		*to = n > 1 ? 2 : 1;
		break;
	case REST:
		*from = 1;
		*to = n ? n : 1;
		break;
	case LAST:
		*from = n ? n - 1 : 0;
		*to = n > 1 ? n : *from;
		break;
	case FRONT:
		*to = n > 1 ? n - 1 : n;
		break;
	case ONLY:
		*to = n == 1 ? 1 : 0;
		break;
	case END:
	case ALWAYS:
	case ABSENT:
		break;
	}
}

void run_rules(struct run *run, const struct operand_rule *rules)
{
	for (const struct operand_rule *r = rules; r && r->position != END; r++) {
		uint32_t from, to;

		if ((run->bits & r->when) != r->when || (run->bits & r->unless))
			continue;
		if (r->position == ALWAYS || (r->position == ABSENT && run->n_operands == 0)) {
			run_effect_fixed(run, r->effect,
				r->text                                           ? r->text
					: effect_target(r->effect) == TARGET_PATH ? "."
										  : NULL);
			continue;
		}
		positions(r->position, run->n_operands, &from, &to);
		for (uint32_t i = from; i < to; i++)
			run_effect(run, r->effect, &run->operands[i]);
	}
}

void run_model(struct run *run, const struct command_model *model)
{
	run->model = model;
	if (model->refuse)
		run_open(run, "%.*s %s", width(run->out->program), run->out->program.p, model->refuse);
	if (model->reader) {
		run->operands = run->argv;
		run->n_operands = run->argc;
		model->reader(run);
		if (run->invocation->telling && !model->subcommands)
			run_tell(run);
		return;
	}
	run_options(run);
	if (run->failed)
		return;
	run_rules(run, model->rules);
	if (model->special)
		model->special(run);
	if (model->wrapping)
		run_wrapping(run, model->wrapping);
	if (model->input != STDIN_IGNORED && run->out->stdin_role == STDIN_IGNORED)
		run->out->stdin_role = model->input;
	if (model->subcommands)
		run_subcommand(run);
	else if (run->invocation->telling)
		run_tell(run);
}

/* The words behind the command word; one more that stands for what is appended. */
static struct arg *make_args(struct run *run, const struct invocation *inv, uint32_t *ret_n)
{
	static const struct word unknown = { .src = { "arguments from its input", 24 },
		.flags = WORD_SPLITS | WORD_PARAM };
	const struct word *w = inv->words, *appendix = inv->appendix ? inv->appendix : &unknown;
	uint32_t n = 0, more = 0;
	struct arg *args;

	for (const struct word *a = inv->appended ? appendix : NULL; a; a = a->next)
		more++;
	args = run_alloc(run, (inv->n_words + more) * sizeof(*args));
	if (!args)
		return NULL;
	for (uint32_t i = 1; i < inv->n_words && w->next; i++) {
		w = w->next;
		args[n++] = arg_of_word(w);
	}
	for (const struct word *a = inv->appended ? appendix : NULL; a; a = a->next)
		args[n++] = arg_of_word(a);
	*ret_n = n;
	return args;
}

/* NAME --help and NAME --version print and end, whatever the program is; of a bare name, or of one that lies in the
 * system's directories, as any other path is a script. */
static bool asks_about_itself(const struct run *run)
{
	return run->argc == 1 && (arg_is(&run->argv[0], "--help") || arg_is(&run->argv[0], "--version"));
}

static void find_and_run(struct run *run, struct bytes word)
{
	const struct command_model *m = NULL;
	struct bytes name = word;
	bool bare = program_name(word, &name);

	run->out->program = name;
	if (bare)
		m = model_by_name(name);
	else
		m = model_by_name(word); /* ./gradlew */
	if (!m && !bare)
		m = project_tool(word);
	if (m && (m->syntax & SHELL_ONLY) && (run->invocation->standalone || name.len != word.len))
		m = NULL;
	if (!m && !bare) {
		run_effect_text(run, asks_about_itself(run) ? EFFECT_ASK_ITSELF : EFFECT_EXECUTE, word);
		return;
	}
	if (bare && asks_about_itself(run) && (!m || !(m->syntax & NO_OPTIONS))) {
		run_effect_fixed(run, EFFECT_PURE, NULL);
		return;
	}
	if (!m) {
		run_open(run, "the program %.*s is not known to the gate", width(name), name.p);
		return;
	}
	if (!bare)
		run_effect_text(run, EFFECT_RUN_PROJECT, word);
	run->out->program = bytes_str(m->name);
	run_model(run, m);
}

int command_effects(struct arena *arena, const struct invocation *invocation, struct command_effects *ret)
{
	struct run run = { .arena = arena, .invocation = invocation, .out = ret };
	const struct word *first = invocation->words;

	*ret = (struct command_effects){ 0 };
	ret->effects_end = &ret->effects;
	ret->nested_end = &ret->nested;
	if (!first)
		return 0;
	run.argv = make_args(&run, invocation, &run.argc);
	if (run.failed)
		return -ENOMEM;
	if (!first->is_static) {
		run_open(&run, "the program is not known before it runs: %.*s", width(first->src),
			first->src.p);
		ret->program = first->src;
	} else {
		find_and_run(&run, first->value);
	}
	if (!ret->effects && !ret->nested && !ret->open)
		run_effect_fixed(&run, EFFECT_PURE, NULL);
	run_shows(&run);
	return run.failed ? -ENOMEM : 0;
}

void invocation_of(
	const struct simple_command *command, enum dialect dialect, struct bytes home, struct invocation *ret)
{
	*ret = (struct invocation){
		.words = command->words, .n_words = command->n_words, .dialect = dialect, .home = home
	};
	if (command->piped_in)
		ret->input = INPUT_PIPE;
	for (const struct redirect *r = command->redirects; r; r = r->next) {
		if (r->fd > 0 || r->fd_var.len)
			continue;
		switch (r->op) {
		case REDIR_IN:
		case REDIR_RDWR:
			ret->input =
				r->target && r->target->is_static && bytes_is(r->target->value, "/dev/null")
				? INPUT_NONE
				: INPUT_FILE;
			ret->input_word = r->target;
			break;
		case REDIR_HEREDOC:
		case REDIR_HEREDOC_TABS:
			ret->input = INPUT_TEXT;
			ret->input_word = r->body;
			break;
		case REDIR_HERESTRING:
			ret->input = INPUT_TEXT;
			ret->input_word = r->target;
			break;
		case REDIR_DUP_IN:
			ret->input = INPUT_FILE;
			ret->input_word = NULL;
			break;
		case REDIR_OUT:
		case REDIR_APPEND:
		case REDIR_CLOBBER:
		case REDIR_DUP_OUT:
		case REDIR_BOTH:
		case REDIR_BOTH_APPEND:
		case REDIR__MAX:
			break;
		}
	}
}
