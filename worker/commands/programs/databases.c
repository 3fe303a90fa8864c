/* SPDX-License-Identifier: Apache-2.0 */
/* Database clients: the statements on their line or in their input, and the programs that dump, restore and
 * drop. */
#include "policy/text/fold.h"
#include "worker/commands/programs/sql.h"

enum { STATEMENTS = 1, LISTS = 2, FILE_GIVEN = 4 };

static const struct {
	const char *program;
	enum sql_dialect dialect;
} dialects[] = { { "psql", SQL_POSTGRES }, { "mysql", SQL_MYSQL }, { "sqlite3", SQL_SQLITE } };

static enum sql_dialect dialect_of(const struct run *run)
{
	for (size_t i = 0; i < ARRAY_LEN(dialects); i++)
		if (strcmp(run->model->name, dialects[i].program) == 0)
			return dialects[i].dialect;
	return SQL_POSTGRES;
}

static void statements(struct run *run, const struct arg *text, struct bytes database)
{
	run->bits |= STATEMENTS;
	if (text->is_static)
		sql_effects(run, text->text, dialect_of(run), database);
	else
		run_open(run, "the statements that %s runs are not known before it runs", run->model->name);
}

static void statements_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	/* psql -o '|COMMAND' hands the rows to a program. */
	if (rule->text && bytes_start(value->text, "|")) {
		run_open(run, "-o | runs a program");
		return;
	}
	if (rule->text) {
		run_effect(run, EFFECT_WRITE, value);
		return;
	}
	statements(run, value, (struct bytes){ "", 0 });
}

/* Without statements on the line they come from its input. */
static void from_input(struct run *run)
{
	const struct invocation *inv = run->invocation;
	struct arg text = { .is_static = true };

	if (run->bits & (STATEMENTS | LISTS | FILE_GIVEN))
		return;
	run->out->stdin_role = STDIN_PROGRAM;
	if (inv->input == INPUT_TEXT && inv->input_word && inv->input_word->is_static) {
		text.text = inv->input_word->value;
		statements(run, &text, (struct bytes){ "", 0 });
	} else if (inv->input != INPUT_NONE) {
		run_effect_fixed(run, EFFECT_RUN_STDIN, NULL);
	}
}

MODEL(psql) = {
	.name = "psql",
	.shorts = "aAbeEnqsStwWxXzU:h:p:d:F:P:R:T:v:1H0",
	.special = from_input,
	.option = statements_option,
	.longs = "echo-all no-align echo-errors echo-queries echo-hidden no-readline quiet single-step "
		 "single-line tuples-only no-password password expanded no-psqlrc field-separator-zero "
		 "record-separator-zero username= host= port= dbname= field-separator= pset= "
		 "record-separator= table-attr= set= variable= single-transaction html csv",
	.options = OPTIONS{ { "c", "command", REQUIRED, CALL },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_EXECUTE, FILE_GIVEN },
		{ "l", "list", NOTHING, EFFECT_FIXED, EFFECT_DB_READ, LISTS, "" },
		{ "o", "output", REQUIRED, CALL, .text = "o" },
		{ "L", "log-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "V?", "version help", OPTIONAL, IGNORE, .set = LISTS }, { 0 } },
};
MODEL(mysql) = {
	.name = "mysql",
	.syntax = PARTIAL,
	.shorts = "AbBCEfGHjnNOqrRsStUvwXu:p::h:P:D:W",
	.special = from_input,
	.option = statements_option,
	.longs = "batch silent skip-column-names table vertical raw user= password?= host= port= database= "
		 "protocol= socket= ssl-mode= default-character-set= force verbose compress connect-timeout= "
		 "column-names no-auto-rehash safe-updates quick",
	.options = OPTIONS{ { "e", "execute", REQUIRED, CALL },
		{ "V?", "version help", NOTHING, IGNORE, .set = LISTS },
		{ NULL, "tee", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "pager init-command defaults-file defaults-extra-file login-path plugin-dir",
			REQUIRED, REFUSE, .text = "takes a program or configuration from elsewhere" },
		{ 0 } },
};

/* sqlite3 [options] FILE [SQL]. */
static void sqlite_command(struct run *run)
{
	if (run->n_operands)
		run_effect(run, EFFECT_READ, &run->operands[0]);
	for (uint32_t i = 1; i < run->n_operands; i++)
		statements(run, &run->operands[i], run->operands[0].text);
	from_input(run);
}

MODEL(sqlite3) = {
	.name = "sqlite3",
	.syntax = ONE_DASH | PARTIAL,
	.special = sqlite_command,
	.option = statements_option,
	.longs = "header noheader csv json column line list html markdown table tabs box quote readonly "
		 "batch bail echo interactive stats safe separator= nullvalue= newline= ascii",
	.options = OPTIONS{ { NULL, "cmd", REQUIRED, CALL },
		{ NULL, "version help", NOTHING, IGNORE, .set = LISTS },
		{ NULL, "init", REQUIRED, EFFECT_OF_VALUE, EFFECT_EXECUTE, FILE_GIVEN }, { 0 } },
};

/* redis-cli [options] COMMAND [arguments], in any case of letters. */
static void redis_command(struct run *run)
{
	static const char reads[] =
		"get mget keys scan info ping ttl pttl type llen lrange lindex hget hgetall hkeys hvals hlen "
		"hmget hexists smembers scard sismember sscan zrange zcard zscore zrangebyscore zscan exists "
		"dbsize time strlen getrange xlen xrange xinfo pubsub command lastsave role randomkey memory "
		"object latency slowlog";
	static const char destroys[] = "flushall flushdb";
	char word[24];
	struct bytes lower = { word, 0 };

	if (run->n_operands == 0) {
		from_input(run);
		return;
	}
	if (!run->operands[0].is_static || run->operands[0].text.len >= sizeof(word)) {
		run_open(run, "what redis-cli does is not known before it runs");
		return;
	}
	for (; lower.len < run->operands[0].text.len; lower.len++) {
		char c = run->operands[0].text.p[lower.len];

		word[lower.len] = fold_lower(c);
	}
	if (in_list(lower, reads))
		run_effect_fixed(run, EFFECT_DB_READ, "redis");
	else if (in_list(lower, destroys))
		run_effect_fixed(run, EFFECT_DB_DESTROY, "redis");
	else if (in_list(lower,
			 "set setex setnx incr decr incrby del unlink expire hset hdel lpush rpush lpop rpop "
			 "sadd srem zadd zrem xadd append persist rename"))
		run_effect_fixed(run, EFFECT_DB_WRITE, "redis");
	else
		run_open(run, "this command of redis-cli is not known to the gate");
}

MODEL(redis_cli) = {
	.name = "redis-cli",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "h:p:a:n:u:r:i:32",
	.special = redis_command,
	.longs = "user= pass= raw no-raw csv json tls no-auth-warning scan bigkeys stat latency",
};
MODEL(mongosh) = { .name = "mongosh", .refuse = "runs JavaScript on a database" };

#define DUMP_LONGS "host= port= username= dbname= format= schema= table= exclude-table= " \
	"exclude-schema= data-only schema-only create no-owner no-privileges no-acl " \
	"compress= verbose jobs= inserts column-inserts if-exists no-password lock-wait-timeout= " \
	"all-databases databases single-transaction routines triggers events no-data " \
	"no-create-info user= password?= quick skip-lock-tables add-drop-table set-gtid-purged= " \
	"globals-only roles-only no-comments section= strict-names"
MODEL(pg_dump) = {
	.name = "pg_dump",
	.shorts = "h:p:U:d:F:n:t:N:T:ascCOxZ:vwWj:bBE:gr",
	.longs = DUMP_LONGS " clean",
	.syntax = PARTIAL,
	.options = OPTIONS{ { "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_DB_READ, .text = "" }, { END } },
};
MODEL(mysqldump) = {
	.name = "mysqldump",
	.shorts = "h:P:u:p::ABdtRqQ",
	.longs = DUMP_LONGS,
	.syntax = PARTIAL,
	.options = OPTIONS{ { "r", "result-file tab", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_DB_READ, .text = "" }, { END } },
};
MODEL(pg_restore) = {
	.name = "pg_restore",
	.shorts = "h:p:U:d:F:n:t:aCOxvwWj:ls1",
	.longs = DUMP_LONGS,
	.syntax = PARTIAL,
	.rules = RULES{ { ALWAYS, EFFECT_DB_WRITE, .text = "" }, { EACH, EFFECT_USE }, { END } },
	.options = OPTIONS{ { "c", "clean", NOTHING, EFFECT_FIXED, EFFECT_DB_DESTROY, .text = "" },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
};
MODEL(dropdb) = { .name = "dropdb",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_DB_DESTROY, .text = "" }, { END } } };
MODEL(dropuser) = { .name = "dropuser",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_DB_DESTROY, .text = "" }, { END } } };
MODEL(createdb) = { .name = "createdb",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_DB_WRITE, .text = "" }, { END } } };
MODEL(pg_isready) = { .name = "pg_isready",
	.syntax = PARTIAL,
	.shorts = "h:p:U:d:t:q",
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } } };
