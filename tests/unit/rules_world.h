/* SPDX-License-Identifier: Apache-2.0 */
/* A made-up machine for the rules: Ada's home, a repository in it, a policy; lines are judged as if run there. */
#ifndef UNIT_RULES_WORLD_H
#define UNIT_RULES_WORLD_H

#include "worker/rules/judge.h"

#define WORLD_HOME "/home/ada"
#define WORLD_ROOT "/home/ada/app"
#define LITERAL(s) { (s), sizeof(s) - 1 }

extern struct worker_policy world_policy;
extern unsigned int world_questions; /* put by the last line judged */

struct judged {
	struct arena arena;
	struct assessment a;
	struct script *script;
	struct finding *findings;
	struct compiled_rules *rules;
};

void world_judge(struct judged *j, const char *command, enum dialect dialect, enum shell_kind shell);
void judged_done(struct judged *j);

/* What a line should come to: allowed, allowed because its script has landed, left open, denied as a harm, as self-protection, by a rule, as an upload. */
enum want { ALLOW, LANDED, OPEN, DENY, SELF, RULE, UPLOAD };

struct row {
	enum want want;
	const char *command;
};

/* How many rows came to something else; each is printed. */
unsigned int world_walk(const struct row *rows, size_t n, enum shell_kind shell);

/* Built with RESPELL, the tables are handed to tests/respell, and main has another name. */
#ifdef RESPELL
unsigned int world_collect(const struct row *rows, size_t n, enum shell_kind shell);
int judge_main(void);
int rules_flows_main(void);
int rules_places_main(void);
int rules_repository_main(void);
int rules_self_main(void);
int rules_self_paths_main(void);
int rules_destinations_main(void);
int rules_surroundings_main(void);
#define WALK(rows, shell) assert_int_equal(world_collect(rows, ARRAY_LEN(rows), shell), 0)
#else
#define WALK(rows, shell) assert_int_equal(world_walk(rows, ARRAY_LEN(rows), shell), 0)
#endif

#endif
