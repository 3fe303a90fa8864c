/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SQL statements, read far enough to tell reading from writing from destroying: the first keyword, and any
 * word that makes a reading statement do more (data-modifying WITH, INTO OUTFILE, COPY … PROGRAM, functions
 * that touch files). Comments that MySQL runs, and client commands that start programs, make the text open.
 */
#include "worker/commands/programs/sql.h"

struct sql {
	struct run *run;
	struct bytes s;
	size_t at;
	enum sql_dialect dialect;
	struct bytes word; /* the last one */
};

enum token { S_END, S_WORD, S_SEMICOLON, S_OTHER, S_BROKEN };

static bool word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Text between quotes; a doubled quote stands for itself. Backslashes escape in MySQL, and in E'' of
 * PostgreSQL. */
static bool quoted(struct sql *q, char end, bool backslash)
{
	for (q->at++; q->at < q->s.len; q->at++) {
		if (backslash && q->s.p[q->at] == '\\') {
			q->at++;
		} else if (q->s.p[q->at] == end) {
			if (q->at + 1 < q->s.len && q->s.p[q->at + 1] == end) {
				q->at++;
				continue;
			}
			q->at++;
			return true;
		}
	}
	return false;
}

/* $tag$ … $tag$ of PostgreSQL. */
static bool dollar_quoted(struct sql *q)
{
	size_t start = q->at, n = 1;
	const char *end;

	while (start + n < q->s.len && word_char(q->s.p[start + n]))
		n++;
	if (start + n >= q->s.len || q->s.p[start + n] != '$')
		return false;
	n++;
	end = memmem(q->s.p + start + n, q->s.len - start - n, q->s.p + start, n);
	if (!end)
		return false;
	q->at = (size_t)(end - q->s.p) + n;
	return true;
}

static bool comment(struct sql *q)
{
	const char *end;

	/* MySQL runs what stands in such a comment. */
	if (q->at + 2 < q->s.len &&
		(q->s.p[q->at + 2] == '!' || q->s.p[q->at + 2] == '+' || q->s.p[q->at + 2] == 'M'))
		return false;
	end = memmem(q->s.p + q->at + 2, q->s.len - q->at - 2, "*/", 2);
	if (!end || memmem(q->s.p + q->at + 2, (size_t)(end - q->s.p) - q->at - 2, "/*", 2))
		return false;
	q->at = (size_t)(end - q->s.p) + 2;
	return true;
}

static void to_line_end(struct sql *q)
{
	while (q->at < q->s.len && q->s.p[q->at] != '\n')
		q->at++;
}

/* In MySQL two dashes begin a comment only in front of a blank. */
static bool is_dash_comment(const struct sql *q)
{
	if (q->at + 1 >= q->s.len || q->s.p[q->at] != '-' || q->s.p[q->at + 1] != '-')
		return false;
	return q->dialect != SQL_MYSQL || q->at + 2 >= q->s.len || strchr(" \t\n\r", q->s.p[q->at + 2]);
}

/* E'…' of PostgreSQL: the letter stands alone in front. */
static bool is_escape_string(const struct sql *q, size_t at)
{
	return q->dialect == SQL_POSTGRES && at > 0 && (q->s.p[at - 1] == 'E' || q->s.p[at - 1] == 'e') &&
		(at == 1 || !word_char(q->s.p[at - 2]));
}

static enum token next(struct sql *q)
{
	while (q->at < q->s.len) {
		char c = q->s.p[q->at], after = q->at + 1 < q->s.len ? q->s.p[q->at + 1] : '\0';
		size_t start = q->at;

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			q->at++;
		} else if (is_dash_comment(q) || (c == '#' && q->dialect == SQL_MYSQL)) {
			to_line_end(q);
		} else if (c == '/' && after == '*') {
			if (!comment(q))
				return S_BROKEN;
		} else if (word_char(c)) {
			while (q->at < q->s.len && word_char(q->s.p[q->at]))
				q->at++;
			q->word = (struct bytes){ q->s.p + start, q->at - start };
			return S_WORD;
		} else if (c == '\'' || c == '"' || c == '`') {
			bool escapes = q->dialect == SQL_MYSQL || is_escape_string(q, start);

			return quoted(q, c, escapes) ? S_OTHER : S_BROKEN;
		} else if (c == '$' && q->dialect == SQL_POSTGRES && (after == '$' || word_char(after))) {
			if (!dollar_quoted(q))
				return S_BROKEN;
			return S_OTHER;
		} else if (c == ';') {
			q->at++;
			return S_SEMICOLON;
		} else if (c == '\\' && q->dialect == SQL_MYSQL && (after == 'G' || after == 'g')) {
			q->at += 2;
			return S_SEMICOLON;
		} else if (c == '\\') {
			return S_BROKEN;
		} else {
			q->at++;
			return S_OTHER;
		}
	}
	return S_END;
}

static bool is(const struct sql *q, const char *list)
{
	char lower[32];

	if (q->word.len >= sizeof(lower))
		return false;
	for (size_t i = 0; i < q->word.len; i++)
		lower[i] = (char)(q->word.p[i] >= 'A' && q->word.p[i] <= 'Z' ? q->word.p[i] - 'A' + 'a'
									     : q->word.p[i]);
	return in_list((struct bytes){ lower, q->word.len }, list);
}

/* Words by which even a query reaches beyond the data. */
static const char reaching[] =
	"outfile dumpfile program copy pg_read_file pg_read_binary_file pg_ls_dir pg_write_file lo_import "
	"lo_export lo_put lo_from_bytea dblink dblink_connect dblink_exec pg_sleep pg_terminate_backend "
	"pg_reload_conf pg_execute_server_program load_file load_extension sys_exec sys_eval xp_cmdshell "
	"writefile readfile edit fts3_tokenizer attach query_to_xml database_to_xml pg_stat_file set_config "
	"plpython3u plperlu plsh benchmark";

struct statement {
	bool first, reads, settles, writes, destroys, deletes, where, reaches;
};

static void statement_word(struct sql *q, struct statement *s)
{
	bool begins = s->first;

	if (begins) {
		s->first = false;
		if (is(q, "select with show explain describe desc values table pragma"))
			s->reads = true;
		else if (is(q,
				 "begin start commit rollback end savepoint release set use reset discard "
				 "analyze"))
			s->settles = true;
		else if (is(q,
				 "insert update merge upsert replace create alter grant revoke comment "
				 "refresh reindex vacuum lock call do cluster notify listen optimize rename"))
			s->writes = true;
	}
	/* Inside a statement that changes, these are clauses: ON DELETE, DROP COLUMN. */
	if (is(q, "drop truncate") && (begins || s->reads))
		s->destroys = true;
	if (is(q, "delete") && (begins || s->reads))
		s->deletes = true;
	if (is(q, "where limit"))
		s->where = true;
	if (is(q, "insert update merge into alter grant revoke create replace"))
		s->writes = true;
	if (is(q, reaching))
		s->reaches = true;
}

static void statement_end(struct sql *q, const struct statement *s, struct bytes database)
{
	if (s->first)
		return;
	if (s->reaches)
		run_open(q->run, "a statement reaches files or programs");
	/* Of this client the database is a file. */
	if (q->dialect == SQL_SQLITE && (s->destroys || s->deletes || s->writes))
		run_effect_text(q->run, EFFECT_WRITE, database);
	if (s->destroys || (s->deletes && !s->where))
		run_effect_text(q->run, EFFECT_DB_DESTROY, database);
	else if (s->deletes || s->writes)
		run_effect_text(q->run, EFFECT_DB_WRITE, database);
	else if (s->reads)
		run_effect_text(q->run, EFFECT_DB_READ, database);
	else if (s->settles)
		run_effect_fixed(q->run, EFFECT_PURE, NULL);
	else
		run_open(q->run, "a statement is not known to the gate");
}

/* psql's \d and its like, and sqlite3's .tables: only those that show. */
static bool client_command(struct sql *q, struct bytes database)
{
	size_t start = q->at;
	struct bytes line, name;

	to_line_end(q);
	line = (struct bytes){ q->s.p + start, q->at - start };
	name.p = line.p;
	for (name.len = 0; name.len < line.len && line.p[name.len] != ' ' && line.p[name.len] != '\t';)
		name.len++;
	if (bytes_char(line, '|') || bytes_char(line, '`') || bytes_char(bytes_from(line, 1), '\\'))
		return false;
	if (in_list(name, ".output .once .backup .save .clone .log")) {
		struct bytes file = bytes_from(line, name.len);

		while (file.len && strchr(" \t\"'", file.p[0]))
			file = bytes_from(file, 1);
		while (file.len && strchr(" \t\"';", file.p[file.len - 1]))
			file.len--;
		run_effect_text(q->run, EFFECT_WRITE, file);
	}
	if (!in_list(name,
		    q->dialect == SQL_POSTGRES
			    ? "\\d \\dt \\dt+ \\d+ \\l \\l+ \\dn \\du \\di \\df \\dv \\ds \\dx \\conninfo "
			      "\\x \\timing \\q \\pset \\a \\t \\echo \\c \\dp \\z \\sf"
			    : ".tables .schema .mode .headers .header .databases .indexes .indices "
			      ".fullschema .width .separator .nullvalue .quit .exit .show .stats .timer "
			      ".dbinfo .dump"))
		return false;
	run_effect_text(q->run, EFFECT_DB_READ, database);
	return true;
}

void sql_effects(struct run *run, struct bytes text, enum sql_dialect dialect, struct bytes database)
{
	struct sql q = { .run = run, .s = text, .dialect = dialect };
	struct statement s = { .first = true };

	for (;;) {
		enum token t;

		while (q.at < text.len && strchr(" \t\r\n;", text.p[q.at]) && s.first)
			q.at++;
		if (s.first && q.at < text.len &&
			((text.p[q.at] == '\\' && dialect == SQL_POSTGRES) ||
				(text.p[q.at] == '.' && dialect == SQL_SQLITE))) {
			if (!client_command(&q, database)) {
				run_open(run, "a command of the database client is not known to the gate");
				return;
			}
			continue;
		}
		t = next(&q);
		if (t == S_BROKEN) {
			run_open(run, "the statements could not be read");
			return;
		}
		if (t == S_WORD)
			statement_word(&q, &s);
		else if (t == S_OTHER && s.first && q.at && text.p[q.at - 1] != '(')
			s.first = false;
		if (t == S_SEMICOLON || t == S_END) {
			statement_end(&q, &s, database);
			s = (struct statement){ .first = true };
		}
		if (t == S_END)
			return;
	}
}
