/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of worker/rules share while one line is judged. */
#ifndef RULES_INTERNAL_H
#define RULES_INTERNAL_H

#include "policy/effects.h"
#include "worker/commands/commands.h"
#include "worker/rules/judge.h"

enum {
	DIRECTORIES_MAX = 4, /* places a command may be run in, before they count as unknown */
	DIRECTORY_LENGTH_MAX = 1024, /* of such a place, before it counts as unknown */
	NESTING_MAX = 12, /* commands that run commands that run commands … */
	WORK_MAX = 4096, /* commands and effects looked at in one line, each: what lies behind is left open */
	WRITTEN_MAX = 32, /* files a line writes, before any file may be one of them */
	SCRIPTS_MAX = 8,
	THROWN_AWAY_MAX = 8,
	FLOWS_MAX = 8,
	SURROUNDINGS_MAX = 32,
	ATTACHED_MAX = 12, /* files a judge may be shown */
	HOLDERS_MAX = 16, /* variables that a line puts a credential into, before all of them may be */
	VALUES_MAX = 6, /* variables whose values are put into one command */
	CARRIED_WORK_MAX = 256, /* commands looked at for what they print, in one line */
	LOOP_WORK_MAX = 64 * 1024, /* commands looked through and values put in, for loops over known values */
};

/* The directories a command may find itself in: several after a `cd` that may have failed. */
struct directories {
	struct bytes d[DIRECTORIES_MAX]; /* absolute, normalised by text as the shell's $PWD is */
	uint32_t n;
	bool unknown; /* or anywhere */
};

/* The stages a denial can come from, the stronger first. */
enum stage { STAGE_SELF, STAGE_RULE, STAGE_HARM, STAGE_UPLOAD, STAGE_REVIEWER, STAGE_NONE };

/* What the line as a whole does to the meaning of its own words (worker/rules/line.c). */
struct line_facts {
	struct bytes *functions; /* names of functions the line defines somewhere */
	uint32_t n_functions;
	struct bytes *defined; /* those that are certainly functions where the walk has come to */
	uint32_t n_defined;
	bool functions_lost; /* some may be unset again */
	struct bytes *renamed; /* command names given another meaning by alias, hash, enable … */
	uint32_t n_renamed;
	bool path_changed; /* PATH, or another variable that decides what every name runs */
	bool changes_directory; /* some cd, pushd or popd */
};

struct memo { /* an answer of the broker, remembered while the line is judged */
	struct bytes base, path;
	bool entry;
	struct answer answer;
	struct memo *next;
};

struct program_memo { /* an answer about a name, likewise */
	struct bytes name;
	struct answer answer;
	struct program_memo *next;
};

struct pattern_memo { /* an answer about what a pattern fits, likewise */
	enum question_kind kind;
	struct bytes base, pattern;
	struct answer answer;
	struct pattern_memo *next;
};

struct loop_feed { /* the pipeline that a loop reads from, which it is a member of */
	const struct node *loop, *members;
	struct loop_feed *next;
};

struct git_memo { /* an answer about a repository, likewise */
	enum question_kind kind;
	struct bytes directory, text;
	struct answer answer;
	struct git_memo *next;
};

struct holders { /* variables that the line puts a credential into */
	struct bytes names[HOLDERS_MAX];
	uint32_t n, work;
	const struct node *loops[8]; /* whose lists were looked through last: the same for command after command */
	uint32_t at;
	bool positional; /* $1, $2 … of a function or of another shell's text */
	bool all; /* more than fit, or than are looked for */
	bool traced; /* a shell may print commands as it runs them: what they are given, too */
	bool grown;
};

struct attached { /* a file for a judge to see */
	struct bytes base, path;
	bool runs;
};

struct judge {
	struct arena *arena;
	const struct line *line;
	struct bytes text; /* the command without blanks around it */
	struct script *script;
	const struct script *current; /* the text being walked: the line's own, or one that a command of it runs */
	struct assessment *a;
	struct finding *findings;
	const struct simple_command **order; /* hash of the commands, to find their findings */
	uint32_t *order_index;
	uint32_t order_size;
	struct line_facts facts;
	struct holders holders;
	struct memo *memos;
	struct git_memo *git_memos;
	struct program_memo *program_memos;
	struct {
		struct bytes name;
		uint32_t row; /* of the table in policy/environment.c */
		bool asked, harmless; /* its value, when it was needed */
	} surroundings[SURROUNDINGS_MAX]; /* variables of the environment that change programs */
	uint32_t n_surroundings;
	bool surroundings_known, surroundings_lost /* more than fit */;
	bool landed; /* a script was vouched for because it has landed */
	struct {
		struct finding *finding;
		struct bytes program, path;
	} thrown_away[THROWN_AWAY_MAX]; /* files and directories of the worktree */
	uint32_t n_thrown_away;
	bool work_put_away; /* by git stash, just before */
	bool worktree_changes; /* something of the line so far may change files that git keeps */
	bool runs_unlanded; /* a script runs another one that no review has seen as it is now */
	bool runs_unknown; /* some command runs what is only known once it runs: a parameter, perhaps */
	uint32_t questions, judged, effects_seen, loop_work, carried_work;
	uint32_t lookup_work; /* commands looked through for assignments */
	struct pattern_memo *pattern_memos;
	struct loop_feed *loop_feeds;
	signed char asks_for_ours; /* some command of the line looks for a process of the gate; -1: not known yet */
	int error; /* the first -errno: nothing after it counts */

	enum stage denied; /* STAGE_NONE: not denied */
	bool open; /* something could not be vouched for */
	struct reason_text open_reason; /* of the first such command */
	struct bytes open_rule;
	uint32_t n_open; /* such commands */
	uint32_t n_open_causes;
	struct cause open_causes[ASSESSMENT_CAUSES_MAX];
	struct bytes allowed_by; /* the first fastAllow rule that vouched for something */
	struct bytes manifest; /* the first one the line writes */
	struct bytes runner; /* the first command that runs what manifests say */
	struct bytes ran[FLOWS_MAX]; /* where */
	uint32_t n_ran;
	struct bytes bringer; /* the first one that brings in files from elsewhere */
	struct bytes brought[FLOWS_MAX]; /* to where */
	uint32_t n_brought;
	struct bytes fetched_from; /* the first address outside that something was fetched from */
	struct bytes venv; /* the virtual environment that the line has activated, absolute; empty: none */
	struct bytes unpacked[FLOWS_MAX]; /* where a repository may have come along */
	uint32_t n_unpacked;
	bool flows_lost; /* more of them than fit */
	struct bytes written[WRITTEN_MAX]; /* what the line writes */
	uint32_t n_written;
	bool rewrites; /* more than fits, or files that are not known by name */
	bool git_changes; /* by git, which may bring in any */
	bool names_copied; /* files came from another directory, by the names they have there */
	struct bytes scripts[SCRIPTS_MAX]; /* that were read, and are run by the line */
	uint32_t n_scripts;
	struct attached attached[ATTACHED_MAX];
	uint32_t n_attached;
	char *effects; /* text for telemetry */
	size_t effects_len;
};

/* One simple command, and where it is run, on its way through the rules. */
struct subject {
	bool redirecting; /* a redirection is judged: what it does is the shell's doing, whoever the command is */
	struct judge *j;
	struct finding *finding; /* of the simple command as written; never NULL */
	struct directories dirs;
	enum nested_where where;
	const struct nested *container; /* NESTED_CONTAINER: the innermost command that is run in one from here */
	struct directories host; /* likewise: where it is started, which the sources of its mounts are relative to */
	const struct assignment *assigns; /* of the simple command as written */
	const struct invocation *invocation; /* the one being judged; NULL for redirections alone */
	uint32_t depth; /* of nesting */
	struct bytes program; /* of the command being judged, as causes name it */
	enum verdict verdict; /* of the invocation being judged: lowered as things are found */
	struct bytes why; /* the first thing that lowered it to open */
	struct bytes effect, target; /* what that was, for the causes */
	bool soft; /* all that lowered it is of the kind a fastAllow rule may vouch for */
	bool captured; /* its output goes into a variable */
	const struct simple_command *captor; /* the one assignment that it goes into; NULL: something else */
	const struct simple_command *feeder; /* what writes the pipe it reads, if that is known */
	const struct node *members; /* the first member of the innermost pipeline */
	const struct node *member; /* and the one it is, or is in */
	bool own_variables; /* only this line gives variables their values */
	uint32_t scripts; /* files of commands that it is in */
	struct bytes script_dir; /* the directory of the innermost, where $0 names it; else empty */
	bool apart; /* in a shell that ends before the next line is read */
	bool counted; /* nothing of its input is shown */
	bool sure; /* this place of the text is reached whenever what stands before it has been run */
	bool effect_open; /* some effect is known and not vouched for: only a rule on the whole argv may */
	bool rule_on_effect; /* set while the effects of an argv are ruled upon */
	struct directories *enter; /* where a cd of this shell goes; NULL: it is not this shell's */
	bool entered;
	uint32_t causes_mark; /* open causes before this invocation */
};

/* judge.c */
void judge_fail(struct judge *j, int error) NONNULL;
struct finding *judge_finding(struct judge *j, const struct simple_command *c) __attribute__((nonnull(1)));
/* A text in the arena; empty when out of memory (the judge then fails). */
struct bytes judge_text(struct judge *j, const char *fmt, ...) PRINTF_LIKE(2, 3);
struct bytes judge_join(struct judge *j, const struct word *words, uint32_t n) __attribute__((nonnull(1)));
/* A program's name without the system directory it is written with: the same cause, however it is called. */
struct bytes judge_program(struct bytes name);
struct bytes judge_cause_text(struct judge *j, const struct word *words, uint32_t n) NONNULL;

/* verdicts.c: everything found ends here. */
void deny(struct subject *s, enum stage stage, struct reason_text reason, struct bytes rule, struct bytes effect,
	struct bytes target) NONNULL;
/* Not vouched for. `soft`: a fastAllow rule may vouch for it all the same. */
void leave_open(struct subject *s, struct bytes why, struct bytes effect, struct bytes target, bool soft) NONNULL;
void note_effect(struct subject *s, struct bytes effect, enum place place, struct bytes target, enum verdict v) NONNULL;
/* The same of a fact whose second word is no place. */
void note_fact(struct subject *s, struct bytes effect, struct bytes where, struct bytes target, enum verdict v) NONNULL;
/* Ends one invocation: what is open after the rules have spoken becomes the line's. */
void settle(struct subject *s) NONNULL;
/* Sets the assessment's verdict, source, reason and causes from all that was found. */
void conclude(struct judge *j) NONNULL;

/* wording.c */
struct bytes wording_program(struct subject *s) NONNULL;
/* What an effect does and to what, as in "NAME {deed}"; where no target is known, what kind of thing it is. */
struct bytes wording_deed(struct subject *s, enum effect_id effect, struct bytes target) NONNULL;
/* Why the subject was left open (s->why). */
struct reason_text wording_open(struct subject *s) NONNULL;

/* walk.c: every command of a script, each with the directories it may run in. */
struct directories directories_either(const struct directories *a, const struct directories *b) NONNULL;
struct flow walk_script(struct judge *j, const struct script *script, const struct subject *inherited) NONNULL;

/* directories.c */
/* Where a cd of this shell (s->enter) leads. */
void directories_enter(struct subject *s, const struct command_effect *e) NONNULL;
/* The directory's path without links; empty: not known. */
struct bytes directories_really(struct judge *j, struct bytes directory) NONNULL;
/* Every one of them is a directory: a cd to it cannot fail for want of it. */
bool directories_are_there(struct judge *j, const struct directories *d) NONNULL;
/* A builtin, a function of the line's own or a sourced file after which the shell may be anywhere. */
bool command_may_move(const struct judge *j, const struct word *w) __attribute__((nonnull(1)));

/* command.c */
struct flow { /* where the shell is after a command that succeeded, and after one that failed; empty: it
		 cannot do that */
	struct directories done, failed;
};
void judge_simple(struct judge *j, const struct simple_command *c, const struct subject *inherited, struct flow *ret)
	__attribute__((nonnull(1, 2, 4)));
/* One spelling of a command: `c`, whose finding it is, with its loop variables' values put in. */
void judge_as(struct judge *j, const struct simple_command *original, const struct simple_command *c,
	const struct subject *inherited, struct flow *ret) __attribute__((nonnull(1, 2, 3, 5)));
/* What a command does, once the text of a file that it names is known: its effects, and what it runs. */
void judge_found(struct subject *s, const struct invocation *inv, const struct command_effects *fx) NONNULL;
/* A function that takes the name of a command, in a shell that later lines will run in. */
void judge_function(struct judge *j, const struct node *n, const struct subject *inherited) NONNULL;
/* Of compound commands, which belong to no simple one. */
void judge_compound_redirects(struct judge *j, const struct node *n, const struct subject *inherited) NONNULL;
/* effect.c: rules on one effect. `inv`: the command it is of; NULL for a redirection, which no rule on argv can vouch for. */
void judge_effect(struct subject *s, const struct command_effect *e, const struct invocation *inv)
	__attribute__((nonnull(1, 2)));

/* A text that a command runs: by the shell at hand (eval), or by another one, which knows nothing of this one's names. */
struct flow judge_text_of_its_own(struct subject *s, const struct script *script, bool another_shell) NONNULL;

/* scripts.c: judges the commands of the script that an effect runs. */
enum script_reading {
	SCRIPT_UNREAD, /* nothing was shown, or of a shell that is not read here */
	SCRIPT_READ,
	SCRIPT_OF_ANOTHER_LANGUAGE,
	SCRIPT_IN_PART, /* some of what it does is hidden */
};
enum script_reading judge_script_file(struct subject *s, const struct command_effect *e) NONNULL;
/*
 * `source DIR/bin/activate` of a virtual environment in a place where the project's own code may be run, or of one that
 * is not there: then nothing is. Names that it puts in front of the system's are looked at when they are used.
 */
bool judge_activation(struct subject *s, const struct command_effect *e, enum place place) NONNULL;
/* The file it runs, as the line names it; empty: not known. */
struct bytes script_named(const struct subject *s, const struct command_effect *e) NONNULL;
/* `cat FILE |` in front of it: the file itself, for a reader; or NULL. */
const struct word *script_feeder(const struct subject *s) NONNULL;

/* attach.c: notes what a judge should see of one invocation; asks for all that was noted. */
void attach_note(struct subject *s, const struct invocation *inv, const struct command_effects *fx) NONNULL;
void attach_files(struct judge *j) NONNULL;

/*
 * carried.c: what a script in a substitution, or the pipe that a command reads, hands over, line by line; NULL: not
 * known. `depth`: of what is looked at for what is looked at.
 */
const struct word *carried_by_script(struct subject *s, const struct script *script, unsigned int depth)
	__attribute__((nonnull(1)));
const struct word *carried_by_pipe(struct subject *s) NONNULL;
/* What the invocation may ask about its words (struct line_view). The subject must outlive it. */
void carried_view(struct subject *s, struct invocation *inv) NONNULL;

/*
 * origins.c: denies what runs a text that is fetched, or decoded, on the same line. `file`: where what EXECUTE runs
 * lies. False: nothing is known of it.
 */
bool judge_origin(struct subject *s, const struct command_effect *e, struct bytes file) NONNULL;
/* The same for a text that is given in the words: `bash -c "$(…)"`. */
void judge_text_origin(struct subject *s, const struct invocation *inv) NONNULL;

/* secrets.c: the variable that is being set goes to no place but this machine's or sanctioned ones. */
bool secret_stays_with_us(struct subject *s) NONNULL;

/* holders.c */
/* Notes the variables that a text which the line runs, or the line itself, puts a credential into. */
void holders_collect(struct judge *j, const struct script *script) NONNULL;
/* It is named like a credential, or was given one. */
bool holder_of_secret(const struct judge *j, struct bytes name) __attribute__((nonnull(1)));
/* What the word expands to holds the value of such a variable. */
bool word_mentions_secret(const struct judge *j, const struct word *w) __attribute__((nonnull(1)));
bool line_is_traced(const struct judge *j) NONNULL;
bool words_mention_secret(const struct judge *j, const struct word *w) __attribute__((nonnull(1)));

/* values.c: names whose values are known where a command stands, and what its words become with them. */
struct value {
	struct bytes name;
	const struct word *words; /* one of them at a time, or, where nothing else stands in a word, all of them */
	bool may_be_empty; /* a substitution that could fail */
	bool of_loop;
};

struct values {
	struct value v[VALUES_MAX];
	uint32_t n;
	unsigned int depth;
	bool loops_only; /* nothing else is put in */
};

bool value_is_named(const struct values *values, struct bytes name) NONNULL;
/* Copies the command with the values put in: of value i only choice[i], or all of them where that,
 * or choice, is NULL. */
bool values_copy(struct subject *s, const struct values *values, const struct word *const *choice,
	const struct simple_command *c, struct simple_command *ret) __attribute__((nonnull(1, 2, 4, 5)));
/* The same with all values that are known where it stands; *ret is a copy of *c, and stays one if there are none. */
void values_put_in(struct subject *s, const struct simple_command *c, unsigned int depth,
	struct simple_command *ret) NONNULL;

/* loops.c: the variables in the command's words whose values are known there. */
void values_known(struct subject *s, const struct simple_command *c, unsigned int depth, struct values *ret) NONNULL;
/* Judges a command with known values in its words once for each. False: there are no such values. */
bool judge_each_value(struct judge *j, const struct simple_command *c, const struct subject *inherited,
	struct flow *ret) __attribute__((nonnull(1, 2, 4)));

/* braces.c */
/* The words a word with braces stands for, or NULL: it stays as it is. */
struct word *braces_of(struct judge *j, const struct word *w) NONNULL;
/* A list of words with their braces expanded, and their number; as it is, *ret_n untouched, where there are none. */
const struct word *braces_in(struct judge *j, const struct word *words, uint32_t *ret_n) __attribute__((nonnull(1, 3)));

/* place.c */
struct placed {
	enum place place;
	enum effect_id effect; /* WRITE of what is not there yet is CREATE */
	struct bytes shown; /* the target, resolved as far as it is known */
	bool certain;
};
/* Calls back once for each place the target may lie in. */
void place_effect(struct subject *s, const struct command_effect *e,
	void (*each)(struct subject *s, const struct command_effect *e, const struct placed *p)) NONNULL;

/*
 * container.c: an effect of a command in a container, on what it sees of this machine. False: on nothing but the
 * container's own files. Each target is handed to `each` as place_effect() does.
 */
bool place_in_container(struct subject *s, const struct command_effect *e,
	void (*each)(struct subject *s, const struct command_effect *e, const struct placed *p)) NONNULL;

/* Over all directories the command may be in. */
void place_path(struct subject *s, struct bytes base, struct bytes path, enum effect_id effect,
	struct placed *ret) NONNULL;
/* place_kind.c: what the name alone settles; PLACE_NONE: nothing. `path` is normalised, or relative to nobody knows. */
enum place place_by_name(const struct judge *j, struct bytes path, enum effect_id effect) NONNULL;
/* By the spelling alone, where no link could make it another one that matters. */
enum place place_spelled(const struct judge *j, struct bytes path) NONNULL;
/* From the broker's answer; and from one about a directory, of something in it (`relative`: to the workspace's root). */
enum place place_by_facts(const struct judge *j, const struct answer *a, enum effect_id effect,
	struct bytes path) NONNULL;
enum place place_ordinary(const struct answer *a, struct bytes relative, enum effect_id effect) NONNULL;
bool place_needs_evidence(enum effect_id e);
bool path_is_an_option(struct bytes path);
/* Effects that only look. */
bool effect_reads(enum effect_id e);
/* Effects on the name itself rather than on what a link at its end points to; and those that reach what lies below. */
bool effect_on_entry(enum effect_id e);
/* Effects after which there is a file or directory of that name. */
bool effect_makes(enum effect_id e);
bool effect_on_tree(enum effect_id e);

/* patterns.c: the pattern a target is, or an empty text; and where it lies. */
struct bytes pattern_of(struct judge *j, const struct command_effect *e) NONNULL;
void place_pattern(struct subject *s, const struct command_effect *e, struct bytes pattern, struct placed *ret) NONNULL;
/* `flags`: those of the word that decide which files it can fit. */
bool pattern_matches_nothing(struct subject *s, struct bytes pattern, uint32_t flags) NONNULL;
/* Something that the word may become begins with a dash, for all that is known. */
bool pattern_has_dashed(struct subject *s, const struct word *word) NONNULL;
/* No name that the word stands for is taken apart where it holds a blank. */
bool pattern_holds_together(struct subject *s, const struct word *word) NONNULL;

/* runner_files.c: the files that a workflow runner names by variables, which no one but it sets. */
bool variable_is_runner_file(struct bytes name);
bool target_is_runner_file(struct subject *s, const struct command_effect *e) NONNULL;

/* zones.c: fileZones over a target by its name and by where it really lies. */
bool zones_need_evidence(const struct judge *j) NONNULL;
enum place place_in_zone(const struct judge *j, struct bytes name, struct bytes real, enum effect_id effect,
	enum place place) NONNULL;

/* What is at an absolute path, links followed. False: the judge has failed. */
bool place_ask(struct judge *j, struct bytes base, struct bytes path, struct answer *ret) NONNULL;

/* flows.c: what is vouched for alone, and not together. */
void flow_note(struct subject *s, enum effect_id effect, enum place place, struct bytes target) NONNULL;
/* An effect that is vouched for: it may bring files in by names that nobody knows (`names_copied`). */
void flow_note_names(struct subject *s, const struct command_effect *e, enum effect_id effect) NONNULL;
/* A script whose content has been looked at is run: what the line does to it meanwhile counts. */
void flow_runs(struct subject *s, struct bytes path) NONNULL;
/* The line may have put a repository there, with settings that nobody has seen. */
bool flow_unpacks_repository(const struct judge *j, struct bytes directory) NONNULL;
void flow_conclude(struct judge *j) NONNULL;
/* The line may by now have put files below the pattern's directory whose names are not known. */
/* Files whose names are not known may have come along with what was brought. */
bool flow_has_brought_names(const struct judge *j) NONNULL;
/* From elsewhere, or by git: not merely a file that the line makes by a name it computes. */
bool flow_brings_names(const struct judge *j) NONNULL;
bool flow_may_add(const struct subject *s, struct bytes pattern) NONNULL;
/* The line has fetched this very file, from the address that is kept in fetched_from. */
bool flow_has_fetched(const struct judge *j, struct bytes path) NONNULL;

/* repository.c */
/* Leaves open what the repository's own settings make git run along the way. */
void judge_repository(struct subject *s, const struct command_effect *e) NONNULL;
/* The only directory git may be started in; empty: several, or not known. */
struct bytes git_directory_of(struct subject *s, const struct command_effect *e) NONNULL;
/* An answer that was given once holds while the line is judged; ANSWER_UNKNOWN where no more can be asked. */
void ask_about_repository(struct judge *j, enum question_kind kind, struct bytes directory, struct bytes text,
	struct answer *ret) NONNULL;
/* Where a push or fetch goes, by the settings of the repository it is made from; may make the effect a stronger one. */
void place_remote(struct subject *s, const struct command_effect *e, struct placed *p) NONNULL;

/* discards.c: git is told to throw work away. True: there is none there that no commit holds. */
bool discards_nothing(struct subject *s, const struct command_effect *e) NONNULL;
/* An effect on a place is ruled on: what it throws away of the worktree may interest a judge. */
void discards_remember(struct subject *s, const struct command_effect *e, enum effect_id effect, enum place place,
	struct bytes path) NONNULL;
/* Adds what git knows of it to the effects: "rm work changed". */
void discards_tell(struct judge *j) NONNULL;
/* An effect that is vouched for: what is known of the worktree may not hold behind it. */
void discards_note(struct subject *s, enum effect_id effect) NONNULL;

/*
 * landed.c: a script is run. Judged by what it holds, or by where it comes from when it is run on its own. False:
 * neither speaks for it.
 */
bool judge_run_script(struct subject *s, const struct command_effect *e) NONNULL;

/* imports.c: modules that the command loads from the directory it runs in; archives that it installs. */
void judge_imports(struct subject *s, const struct command_effects *fx) NONNULL;
void judge_archives(struct subject *s, const struct command_effects *fx) NONNULL;

/* programs.c: what the name of a command means on this machine. */
void judge_what_it_means(struct subject *s, const struct invocation *inv, const struct command_effects *fx) NONNULL;

/* hosts.c */
enum place place_host(const struct worker_policy *policy, enum target_kind kind, struct bytes target) NONNULL;
/* Of [user@]host:path as scp(1) and rsync(1) read it, where no port can stand behind the colon. */
enum place place_copy_host(const struct worker_policy *policy, struct bytes target) NONNULL;
/* [HOST/]OWNER/REPO; empty: the repository that the directory's remotes lead to, if they all are in one place. */
enum place place_forge(struct subject *s, struct bytes target) NONNULL;

/* redirects.c, environment.c, selfprotect.c, line.c, tells.c */
void judge_redirects(struct subject *s, const struct redirect *r)
	__attribute__((nonnull(1)));
void judge_assignments(struct subject *s, const struct assignment *a, bool has_command)
	__attribute__((nonnull(1)));
void judge_assignment_words(struct subject *s, const struct word *words, uint32_t n)
	__attribute__((nonnull(1)));
/* selfprotect.c: programs that are agents with hooks of their own, by the name they are started under; NULL ends them. */
extern const char *const agent_names[];
/* processes.c: whom a signal, or a look into a process, reaches. UNSEEN: the broker could not tell. */
enum reach { REACHES_OTHERS, REACHES_OURS, REACHES_UNSEEN };
enum reach signal_reaches(struct subject *s, const struct command_effect *e) NONNULL MUST_CHECK;
/* Is a parameter's value what the word stands for, or part of it? */
bool word_is_parameter(const struct word *w, const char *name) __attribute__((nonnull(2)));
/* sequence.c: the value is an editor that only drops lines of git's list, or says what is done with their commits. */
bool edits_sequence(struct bytes value);
/* A name, with * at its end for any ending, or at its beginning for any beginning. */
bool variable_matches(struct bytes name, const char *pattern) __attribute__((nonnull(2)));
/* accepted.c: `text` is the value where there is no word of it; its `p` is NULL: not known. */
bool variable_is_accepted(const struct subject *s, struct bytes name, const struct word *value, struct bytes text)
	__attribute__((nonnull(1)));
bool variable_is_gate(struct bytes name);
bool variable_is_shells(struct bytes name);
void protect_invocation(struct subject *s, const struct invocation *inv) NONNULL;
/* Signals, services and terminals. True: it was denied. */
bool protect_effect(struct subject *s, const struct command_effect *e) NONNULL;
void line_facts_collect(struct judge *j, const struct script *script) NONNULL;
/* The facts a text of its own begins with: another shell knows no function of this one. */
struct line_facts line_facts_of_another_shell(const struct line_facts *f) NONNULL;
/* From here on the name is a function. */
void line_defines(struct judge *j, struct bytes name) NONNULL;
/* Something on the line may give the variable a value, or no one can tell. */
bool line_sets(struct judge *j, struct bytes name) __attribute__((nonnull(1)));
/* How often a name stands in a text as more than $NAME or ${NAME}, an option's letter or a part of a path. */
uint32_t line_mentions(struct bytes text, struct bytes name);
/* Text may be evaluated as arithmetic somewhere on the line, which runs what a variable holds. */
bool line_evaluates(const struct judge *j) NONNULL;
bool name_is_redefined(const struct judge *j, struct bytes name) NONNULL;
bool name_is_own_function(const struct judge *j, struct bytes name) NONNULL;
/* As above, and certainly by now. */
bool name_is_defined(const struct judge *j, struct bytes name) NONNULL;
void judge_shell_state(struct subject *s, const struct invocation *inv) NONNULL;
void judge_tells(struct judge *j) NONNULL;
/* Characters that make a text look other than it is: what is wrong with it, or NULL. */
const char *text_is_odd(struct bytes text, const struct script *script) __attribute__((nonnull(2)));
/* Why paths in the text may lie elsewhere than was looked, as a project's settings chose a HOME; or NULL. */
const char *home_in_doubt(const struct worker_policy *policy, struct bytes text) __attribute__((nonnull(1)));

/* reviewer.c: the pattern of text that addresses a reviewer which the text holds, or NULL. */
const char *reviewer_pattern(struct bytes text);

/* regex.c */
enum rule_match { RULE_NONE = 0, RULE_MATCHED, RULE_WHOLE /* to the very end */, RULE_LIMIT /* cannot be told */ };
/* The configured denials over a text; *ret_rule names the one that matched or could not be evaluated. */
enum rule_match rules_deny(struct judge *j, struct bytes text, struct bytes *ret_rule) NONNULL;
/* The configured allowances over an argv joined by single blanks. */
enum rule_match rules_allow(struct judge *j, struct bytes joined, struct bytes *ret_rule) NONNULL;
/* A line's worth of work is allowed from here on. Returns a denial that is no regular expression, or an empty text. */
struct bytes rules_begin(struct judge *j) NONNULL;

#endif
