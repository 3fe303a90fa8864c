/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a text does, whatever its branches and loops are: every variable is the join of all that is ever put into it,
 * found by evaluating the text until nothing new appears. Only the last round has effects.
 */
#include "worker/commands/inline/tree.h"

enum { PASSES_MAX = 12 };

void evaluation_open(struct evaluation *ev, const char *why, struct bytes what)
{
	if (!ev->final || ev->opened)
		return;
	ev->opened = true;
	ev->why = why;
	ev->what = what;
}

bool evaluation_step(struct evaluation *ev)
{
	if (++ev->steps > EVALUATION_STEPS_MAX)
		ev->exhausted = true;
	return !ev->exhausted;
}

void evaluation_mutates(struct evaluation *ev)
{
	ev->changed = ev->changed || !ev->mutates;
	ev->mutates = true;
}

void evaluation_effect(struct evaluation *ev, enum effect_id effect, const struct value *target)
{
	if (!ev->final || ev->run->failed)
		return;
	for (uint32_t i = 0; i < target->texts.n; i++) {
		run_effect_text(ev->run, effect, target->texts.v[i]);
		if (target->several && run_last_effect(ev->run))
			run_last_effect(ev->run)->certain = false;
	}
	if (!target->texts.n) {
		struct arg unknown = { .text = target->texts.prefix };

		run_effect(ev->run, effect, &unknown);
	}
}

static const struct entity foreign = { .name = "?", .act = ACT_MODULE };
const struct entity entity_foreign = { .name = "?", .act = ACT_REFUSED };

/* These are there before anything is looked for. */
void evaluation_imports(struct evaluation *ev, struct bytes module)
{
	/* These are loaded, or built in, before any directory is looked into. */
	if (name_in(module, "sys os os.path time io itertools errno builtins"))
		return;
	ev->imports = true;
	if (ev->final && ev->language->imports_here)
		run_imports(ev->run, module);
}

static void import(struct evaluation *ev, struct code *n)
{
	const struct language *l = ev->language;
	const struct entity *e = module_find(l, n->text);
	struct code name = { .kind = CODE_NAME, .text = n->symbol->name, .symbol = n->symbol };
	struct value v = value_data();

	evaluation_imports(ev, n->text);
	if (e) {
		const struct entity *module = e;

		/* `import a.b` gives the name a. */
		v = (struct value){ .kind = VALUE_ENTITY,
			.entity = n->kind == CODE_IMPORT ? entity_find(l, BYTES(""), n->name) : NULL };
		if (n->kind == CODE_FROM) {
			e = entity_find(l, n->text, n->name);
			if (!e)
				e = entity_error(l, module, n->name);
			if (!e) {
				evaluation_open(ev, "it imports what is not known to the gate:", n->name);
				return;
			}
			v = entity_value(ev, e);
		} else if (!v.entity) {
			evaluation_open(ev, "it imports what is not known to the gate:", n->text);
			return;
		}
		evaluation_bind(ev, &name, v);
		return;
	}
	/* Code of the project, or of its environment: importing it runs it; using it is not understood. */
	if (!name_in(n->text, l->modules))
		ev->project = true;
	v = (struct value){ .kind = VALUE_ENTITY, .entity = n->kind == CODE_FROM ? &entity_foreign : &foreign };
	evaluation_bind(ev, &name, v);
}

void evaluate_statement(struct evaluation *ev, struct code *n)
{
	if (!n || ev->run->failed)
		return;
	switch (n->kind) {
	case CODE_BLOCK:
		for (struct code *i = n->list; i; i = i->next)
			evaluate_statement(ev, i);
		return;
	case CODE_RETURN:
		if (ev->current != UINT32_MAX) {
			struct value v = value_join(ev, ev->results[ev->current], evaluate(ev, n->a));

			if (!value_same(&v, &ev->results[ev->current])) {
				ev->results[ev->current] = v;
				ev->changed = true;
			}
			return;
		}
		evaluate(ev, n->a);
		return;
	case CODE_IMPORT:
	case CODE_FROM:
		import(ev, n);
		return;
	case CODE_TEXT:
	case CODE_NUMBER:
	case CODE_DATA:
	case CODE_NAME:
	case CODE_ATTRIBUTE:
	case CODE_INDEX:
	case CODE_CALL:
	case CODE_KEYWORD:
	case CODE_SPREAD:
	case CODE_JOIN:
	case CODE_DIVIDE:
	case CODE_LIST:
	case CODE_DICT:
	case CODE_EITHER:
	case CODE_FUNCTION:
	case CODE_ASSIGN:
	case CODE_EACH: {
		/* The value of a text may be printed (node -p). */
		struct value v = evaluate(ev, n);

		if (v.kind == VALUE_ENTITY &&
			(v.entity->act == ACT_ENVIRONMENT || bytes_is(bytes_str(v.entity->name), "process")))
			evaluation_open(ev, "it may print all variables of the environment", BYTES(""));
	}
	}
}

void inline_text(struct run *run, const struct language *l, const struct arg *text)
{
	struct tree tree = { .run = run, .language = l };
	struct evaluation ev = { .tree = &tree, .run = run, .language = l, .current = UINT32_MAX };
	struct code *program = NULL;

	if (!text->is_static)
		tree.wrong = "it is not known before it runs";
	else if (text->text.len > TREE_TEXT_MAX)
		tree.wrong = "it is too long to be read";
	else
		program = l->parse(&tree, text->text);
	if (program) {
		ev.variables = run_alloc(run, (tree.n_symbols + 1) * sizeof(*ev.variables));
		ev.results = run_alloc(run, (tree.n_functions + 1) * sizeof(*ev.results));
	}
	if (run->failed)
		return;
	if (!program) {
		run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
		run_open(run, "the code given to %s is not understood: %s", run->model->name,
			tree.wrong ? tree.wrong : "its syntax");
		return;
	}
	do {
		ev.changed = false;
		ev.steps = 0;
		evaluate_statement(&ev, program);
	} while (!ev.exhausted && ++ev.pass < PASSES_MAX && (ev.changed || ev.pass < 2));
	ev.final = true;
	ev.steps = 0;
	evaluate_statement(&ev, program);
	if (ev.exhausted)
		evaluation_open(&ev, "it is too long to be read", BYTES(""));
	if (ev.changed)
		evaluation_open(&ev, "its loops are not understood", BYTES(""));
	if (ev.imports && l->imports_here)
		run_effect_fixed(run, EFFECT_IMPORT, ".");
	if (ev.project)
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	if (ev.reads_input && run->out->stdin_role == STDIN_IGNORED)
		run->out->stdin_role = STDIN_READ;
	if (ev.opened)
		run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
	if (ev.opened)
		run_open(run, "the code given to %s is not understood: %s%s%.*s", run->model->name, ev.why,
			ev.what.len ? " " : "", (int)(ev.what.len < 60 ? ev.what.len : 60), ev.what.p);
}
