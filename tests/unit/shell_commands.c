/* SPDX-License-Identifier: Apache-2.0 */
/* Every construct of the grammar: which simple commands it holds, in which context; and what is refused. */
#include "tests/unit/shell_render.h"

static const struct shell_options bash = { .dialect = DIALECT_BASH };

static const struct shell_case lists[] = {
	{ "", "" },
	{ "  # nothing\n\n", "" },
	{ "a; b\nc & d", "top:a ; top:b ; top:c ; top:d" },
	{ "a && b || c", "top:a ; top:b ; top:c" },
	{ "a | b |& c", "pipe:a ; pipe:b ; pipe:c" },
	{ "a |\n\n b &&\n # x\n c", "pipe:a ; pipe:b ; top:c" },
	{ "! a | b; ! ! c; !", "pipe:a ; pipe:b ; top:c" },
	{ "time a; time -p b; time -p -- c; time", "top:a ; top:b ; top:c ; top:time" },
	{ "a | time b", "pipe:a ; pipe:time,b" },
	{ "time -f x y", "top:-f,x,y" },
	{ "{ a; b; } | c", "pipe/group:a ; pipe/group:b ; pipe:c" },
	{ "( a ) && (b; c)", "subshell:a ; subshell:b ; subshell:c" },
	{ "(a | b) | c", "pipe/subshell/pipe:a ; pipe/subshell/pipe:b ; pipe:c" },
	{ "a $(b) | c", "pipe/subst:b ; pipe:a,* ; pipe:c" },
	{ "a &&\\\n b \\\n c", "top:a ; top:b,c" },
	{ "a&\\\n&b;c|\\\n|d", "top:a ; top:b ; top:c ; top:d" },
};

static const struct shell_case compounds[] = {
	{ "if a; then b; elif c; then d; else e; fi", "if:a ; if:b ; if:c ; if:d ; if:e" },
	{ "if a\nthen\nb\nfi | c", "pipe/if:a ; pipe/if:b ; pipe:c" },
	{ "for x in a $b *.c; do d $x; done", "loop:d,*" },
	{ "for x; do a; done; for y\ndo b; done; for z in; do c; done", "loop:a ; loop:b ; loop:c" },
	{ "for x in a; { b; }; for ((i=0; i<$(c); i++)) { d; }", "loop:b ; loop/subst:c ; loop:d" },
	{ "for do in a; do b; done", "loop:b" },
	{ "while a; do b; done < c", "loop:a ; loop:b ; top <<>c" },
	{ "until a; do b; done", "loop:a ; loop:b" },
	{ "select x in a b; do c; done", "loop:c" },
	{ "case a in b|c) d;; (e) f;& *) g;;& h) esac", "case:d ; case:f ; case:g" },
	{ "case $(a) in\n\n$(b)) c\n;;\nesac", "case/subst:a ; case/subst:b ; case:c" },
	{ "case a in esac", "" },
	{ "case esac in (esac) a;; esac", "case:a" },
	{ "f() { a; }; g () (b); function h { c; }; function i() { d; }",
		"function/group:a ; function/subshell:b ; function/group:c ; function/group:d" },
	{ "f() if a; then b; fi", "function/if:a ; function/if:b" },
	{ "f()\n{\na\n} > b", "function/group:a ; function <>>b" },
	{ "function f\n{ a; }; function g (b)", "function/group:a ; function/subshell:b" },
	{ "coproc { a; }; coproc N (b); coproc while c; do d; done",
		"coproc/group:a ; coproc/subshell:b ; coproc/loop:c ; coproc/loop:d" },
	{ "coproc a b", "coproc:a,b !" },
	{ "if (a) then { b; } fi", "if/subshell:a ; if/group:b" },
	{ "{ { a; } }", "group/group:a" },
	{ "[[ -f a && ! ( $(b) == c* || d < e ) ]] && f", "subst:b ; top:f" },
	{ "[[ a =~ ^(b|c d)+$ ]]; [[ a ]]; [[ -n $x\n]]", "" },
	{ "(( a + $(b) )) && c", "subst:b ; top:c" },
	{ "((a); (b))", "subshell/subshell:a ; subshell/subshell:b" },
	{ "(( (a) ))", "" },
	{ "echo if then fi { } [[ ]] ! time done", "top:echo,if,then,fi,{,},[[,]],!,time,done" },
	{ "'if' a; \\while b", "top:if,a ; top:while,b" },
	{ "i\\\nf a; then b; fi", "if:a ; if:b" },
	{ "a() { b; }; { c; } 2>d >e", "function/group:b ; group:c ; top <2>>d <>>e" },
};

static const struct shell_case commands[] = {
	{ "a=1 b= c+=2 d e=3", "top a=1,b=,c+=2:d,e=3" },
	{ "a=(b 'c d' [3]=e $(f)) g[1]=h g[$i]+=j", "subst:f ; top a=(b 'c d' [3]=e $(f)),g[1]=h,g[$i]+=j" },
	{ "a=(\nb # c\nd\n)", "top a=(\nb # c\nd\n)" },
	{ "declare -A a=([b]=c) d=e; export F=~ G", "top:declare,-A,a=*,d=e ; top:export,F=*,G" },
	{ "1a=b; a-b=c; 'a'=b", "top:1a=b ; top:a-b=c ; top:a=b" },
	{ "a[0]; b[$i]", "top:a* ; top:b*" },
	{ "> a; < b c >> d e", "top <>>a ; top:c,e <<>b <>>>d" },
	{ "a 2>&1 >&2 3<&0- 4>&- 5<&-", "top:a <2>&>1 <>&>2 <3<&>0- <4>&>- <5<&>-" },
	{ "a &> b &>> c >| d <> e", "top:a <&>>b <&>>>c <>|>d <<>>e" },
	{ "a >&b {fd}>c 12>d 1 >e", "top:a,1 <>&>b <fd>>c <12>>d <>>e" },
	{ "a <<< b <<<\"c d\" <<<$e", "top:a <<<<>b <<<<>c d <<<<>*" },
	{ "a < <(b) > >(c) 2>(d)", "procsub:b ; procsub:c ; procsub:d ; top:a,2* <<>* <>>*" },
	{ "a>b<c", "top:a <>>b <<>c" },
	{ "a 99999999999>b", "top:a,99999999999 <>>b" },
	{ "ls\r\nls", "top:ls\r ; top:ls !" },
	{ "a\001b", "top:a\001b !" },
	{ "a \xff", "top:a,\xff !" },
	{ "alias a='b c'", "top:alias,a=b c" },
};

static const struct shell_case heredocs[] = {
	{ "a <<E\nb $c\nE\nd", "top:a <<<>E=b * ; top:d" },
	{ "a <<'E'\nb $c\nE\nd", "top:a <<<>E=b $c\n ; top:d" },
	{ "a <<\\E\n$(b)\nE", "top:a <<<>E=$(b)\n" },
	{ "a <<E\n$(b) `c` \\$d \\`e \\\\ \\\" \"\nE", "top:a <<<>E=* ; subst:b ; subst:c" },
	{ "a <<-E\n\tb\n\t\tc\n\tE\nd", "top:a <<<->E=b\nc\n ; top:d" },
	{ "a <<A <<B; c\n1\nA\n2\nB\nd", "top:a <<<>A=1\n <<<>B=2\n ; top:c ; top:d" },
	{ "a <<E\nb", "top:a <<<>E=b\n" },
	{ "a <<E", "top:a <<<>E=" },
	{ "a <<E\nb\\\nE\nc\nE\nd", "top:a <<<>E=bE\nc\n ; top:d" },
	{ "a <<'E'\nb\\\nE\nc", "top:a <<<>E=b\\\n ; top:c" },
	{ "a <<E\nE x\n E\nE\nb", "top:a <<<>E=E x\n E\n ; top:b" },
	{ "a $(b <<E\nc)\nE\n) d", "subst:b <<<>E=c)\n ; top:a,*,d" },
	{ "a $(b <<E\nc\nE) d", "subst:b <<<>E=c\n ; top:a,*,d" },
	{ "a $(b <<E) c\nd\nE\ne", "subst:b <<<>E=d\n ; top:a,*,c ; top:e" },
	{ "a `b <<E\nc\nE\n`", "subst:b <<<>E=c\n ; top:a,*" },
	{ "a <<\"E F\"\nb\nE F\nc", "top:a <<<>E F=b\n ; top:c" },
	{ "a <<$x\nb\n$x\nc", "top:a <<<>$x=b\n ; top:c" },
	{ "if a <<E; then\nb\nE\nc; fi", "if:a <<<>E=b\n ; if:c" },
	{ "{ a <<E; } | b\nc\nE", "pipe/group:a <<<>E=c\n ; pipe:b" },
	{ "a <<''\nb\n\nc", "top:a <<<>=b\n ; top:c" },
	{ "a <<E\n$(b '\\\nc')\nE", "top:a <<<>E=* ; subst:b,c" },
	{ "a <<E\n$(b 'c\\\\\nd')\nE", "top:a <<<>E=* ; subst:b,c\\\\\nd" },
	{ "a <<'E'\n$(b '\\\nc')\nE", "top:a <<<>E=$(b '\\\nc')\n" },
	/* bash takes the body of the second reading from behind the parentheses. */
	{ "((a <<E) )\nb\nE", "subshell/subshell:a <<<>E=b\n" },
	{ "((a <<E\nb\nE\n) )", "subshell/subshell:a <<<>E=b\n !" },
	{ "((a <<E\nb\nE\n) ;)", "subshell/subshell:a <<<>E=b\n !" },
	{ "a <<E && ((b\nc\nE\n) )", "top:a <<<>E=c\n ; subshell/subshell:b !" },
	{ "((a $(b <<E\nc\nE\n) ) )", "subshell/subshell/subst:b <<<>E=c\n ; subshell/subshell:a,* !" },
	{ "if ((a <<E\nb\nE\n) ); then c; fi", "if/subshell/subshell:a <<<>E=b\n ; if:c !" },
	{ "( (a <<E\nb\nE\n) )", "subshell/subshell:a <<<>E=b\n" },
	{ "a $((b <<E\nc\nE\n) )", "subst/subshell:b <<<>E=c\n ; top:a,*" },
	{ "((a) ); b <<E\nc\nE", "subshell/subshell:a ; top:b <<<>E=c\n" },
	{ "a <<\"E\nF\"\nE\nF\nb", "top:a <<<>E\nF=E\nF\nb\n !" },
};

/* Lines that are read in another way than they look. */
static const struct shell_case reread[] = {
	{ "alias a=b; a", "top:alias,a=b ; top:a" },
	{ "alias a=b\na", "top:alias,a=b ; top:a !" },
	{ "alias a\na", "top:alias,a ; top:a" },
	{ "alias $a\na", "top:alias,* ; top:a !" },
	{ "set -euo pipefail\na", "top:set,-euo,pipefail ; top:a" },
	{ "set -k\na", "top:set,-k ; top:a !" },
	{ "set -o posix\na", "top:set,-o,posix ; top:a !" },
	{ "set -- -k $a\na", "top:set,--,-k,* ; top:a" },
	{ "set $a\na", "top:set,* ; top:a !" },
	{ "shopt -s nullglob extglob\na @(b)", "top:shopt,-s,nullglob,extglob ; top:a,*" },
	{ "shopt -s extglob\n!(a)", "top:shopt,-s,extglob ; subshell:a !" },
	{ "shopt -s expand_aliases\na", "top:shopt,-s,expand_aliases ; top:a !" },
	{ "POSIXLY_CORRECT=1; a", "top POSIXLY_CORRECT=1 ; top:a !" },
	{ "x='a[$(b)]'; ((x))", "top x='a[$(b)]' !" },
	{ "for x in 'a[`b`]'; do c $((x)); done", "loop:c,* !" },
	{ "[ 'a[$(b)]' -eq 1 ]", "top:[,a[$(b)],-eq,1,] !" },
	{ "[[ 'a[$(b)]' -eq 1 ]]", " !" },
	{ "printf -v 'a[$(b)]' c", "top:printf,-v,a[$(b)],c !" },
	{ "x='a[$(b)]'; c \"$x\"", "top x='a[$(b)]' ; top:c,a[$(b)]" },
	{ "grep '[a]' b; c $((1+x))", "top:grep,[a],b ; top:c,*" },
};

/* What bash refuses: the commands before the place are listed all the same. */
static const char *const refused[] = {
	";", "a;;", "a && ", "&& a", "a | | b", "a &; b", "a || ; b", "(a", "a)", "( )", "{ }", "{ a }", "}", "{a; }",
	"if a; fi", "if a; then fi", "if; then a; fi", "then a", "fi", "for", "for x in a; done", "for x in a do b; done",
	"while a; done", "do a; done", "case a", "case a in b c) d;; esac", "case a in b) c", "f() a", "f( a", "a (b)",
	"a b(c)", "function", "function f", "a=1 f() { b; }", ">", "a >", "a > | b", "a < ;", "'a", "\"a", "`a", "$(a", "${a",
	"$((1", "a=(b", "a=(b & c)", "[[ a", "[[ ]]", "[[ a b ]]", "[[ -f ]]", "[[ ( a ]]", "((1)", "a | ! b", "! && a",
	"$'a", "@(a", "select x in a; b; done", "coproc", "for ((a; b)); do c; done", "a <<E | \nb\nE\n", "elif", "esac",
	"a & | b", "for x in a=(b); do c; done", "x=1 y=2 if a; then b; fi", "builtin declare a=(b)", "echo a(b", "`a |`",
	"$(a |)", "(})", "if a; then; b; fi", "in a", "a & in b", "]]", "a > 12>b", "a > {c}>b", "a <<E)\nb\nE\n", "a <<E; }\nb\nE\n",
	"[[ a\n]]", "declare >a b=(c)", "`a <<E)\nb\nE\n`", "while :; do done", "a; }", "a; ; b",
};

static void test_lists(void **state)
{
	(void)state;
	check_cases(lists, ARRAY_LEN(lists), &bash);
}

static void test_compounds(void **state)
{
	(void)state;
	check_cases(compounds, ARRAY_LEN(compounds), &bash);
}

static void test_commands(void **state)
{
	(void)state;
	check_cases(commands, ARRAY_LEN(commands), &bash);
}

static void test_heredocs(void **state)
{
	(void)state;
	check_cases(heredocs, ARRAY_LEN(heredocs), &bash);
}

static void test_reread(void **state)
{
	(void)state;
	check_cases(reread, ARRAY_LEN(reread), &bash);
}

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		CLEANUP(arena_done) struct arena arena = { 0 };
		struct script *s;

		assert_int_equal(shell_parse(&arena, (struct bytes){ refused[i], strlen(refused[i]) }, &bash, &s), 0);
		if (!(s->unmodelled & UNMODELLED_SYNTAX))
			fail_msg("taken for good syntax: %s", refused[i]);
		assert_non_null(s->unmodelled_why);
	}
}

/* In arithmetic, in indexes and in a quoted ${…} quotes end a text, and what is in them is expanded all the same. */
static void test_false_quotes(void **state)
{
	static const char *const expanded[] = {
		"((a '`b''c`'))", "((a $'`b`'))", "((a $'\\x60b\\x60'))", "echo $(($'`b`'))", "echo $[$'`b`']",
		"for (($'`b`';;)); do a; done", "a[$'`b`']=1", "a=([$'`b`']=1)", "echo ${a[$'$(b)']}", "echo \"${a[$'`b`']}\"",
		"echo \"${x:-$'`b`'}\"", "echo \"${x=$'$(b)'}\"", "echo \"${x+$'`b`'}\"", "echo \"${x:?$'`b`'}\"",
		"cat <<E\n${x:-$'`b`'}\nE", "cat <<E\n$(($'`b`'))\nE", "cat <<E\n${x:-$\"\"(b)}\nE",
		"cat <<E\n${x:-\"$\\(b)\"}\nE", "cat <<E\n$((${x:-$\"\"(b)}))\nE", "echo $(($\"\"(b)))", "a=([\\$(b)]=1)", "a=([\"\\$(b)\"]=1)", "a=([\\`b\\`]=1)",
		"a ${HOME:'`b`'}", "a ${HOME:0:'$(b)'}", "a ${x:$'`b`'}", "a ${@:'`b`'}", "a ${*:'$(b)':1}", "a ${y[@]:$'`b`'}",
		"a ${x:-${HOME:'`b`'}}", "[[ a =~ ('`b`') ]]", "[[ a =~ (a '`b`') ]]", "[[ a =~ ($'`b`') ]]", "[[ a =~ ${x:=$'`b`'} ]]",
		"[[ a =~ (\"a \"'`b`'\"\") ]]", "a \"$(b \"c \"${x:=$'`d`'}\"\")\"", "a \"`b \\\"\"'$(c)'\"\\\"`\"",
		"(( `a \\\"\"'$(b)'\"\\\"` ))", "a `b \"$( 'c\\\n' )\"`", "a \"`'\\\nb'`\"", "((1+a \"`b'\\\n'`\"))", "a=([$(b)]=1)",
		"a \"${x:-$${x}\"'`b`'\"}\"", "a \"${x:-$$$${y}\"'`b`'\"}\"", "a ${x:-$${x}'`b`'}", "a=([\"$x\"]=1)",
		"((a '\"`b''c`\"'))", "echo $((a '\"$(b''c)\"'))", "echo \"${x:-a \"`b \\\"\"'$(c)'\"\\\"`\"}\"",
	};
	static const char *const plain[] = {
		"echo ${x:-$'`b`'}", "echo \"${x:-$'b'}\"", "((a '1'))", "a[$'b']=1", "a=([b]=1 [\"c d\"]=2)", "echo \"${x#$'b'}\"",
		"a \"${x:-$$}\"", "a /tmp/$$.x", "a ${HOME:1:2}", "a ${x:$y}", "[[ a =~ (b|'c') ]]", "[[ $a =~ ^(b|c)$ ]]", "a \"`b \\\"c\\\"`\"", "a `b 'c'`",
		"a \"`b\nc`\"", "a `b \\\n c`", "echo \"${x:-\"$y\"}\"", "echo \"${x:-`b`}\"", "echo $'`b`' '$(c)'", "x=$'$(b)'", "cat <<E\n${x:-$y}\nE",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(expanded) + ARRAY_LEN(plain); i++) {
		bool wanted = i < ARRAY_LEN(expanded);
		const char *text = wanted ? expanded[i] : plain[i - ARRAY_LEN(expanded)];
		CLEANUP(arena_done) struct arena arena = { 0 };
		struct script *s;

		assert_int_equal(shell_parse(&arena, (struct bytes){ text, strlen(text) }, &bash, &s), 0);
		if ((s->unmodelled != 0) != wanted)
			fail_msg("%s modelled: %s", wanted ? "taken for" : "not taken for", text);
	}
}

/* Where the text is no arithmetic zsh runs it. */
static void test_zsh_arithmetic(void **state)
{
	static const struct shell_options zsh = { .dialect = DIALECT_ZSH, .home = BYTES("/home/ada") };
	static const char *const doubtful[] = {
		"(( x= a b] ))", "(( a[b <(c))) ", "echo \"$((( a[b <(c))))\"", "((a b))", "((1 ; a))",
		"echo ${x:-a=(['$(c)']=1)}",
	};
	static const char *const plain[] = {
		"(( x + 1 ))", "((i++))", "echo $((2 * (3 + y) - $z))", "(( a[1] == b[2] ))", "(( x > 1 && y ))",
		"echo ${x:-a} \"${x:-(a)}\"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(doubtful) + ARRAY_LEN(plain); i++) {
		bool wanted = i < ARRAY_LEN(doubtful);
		const char *text = wanted ? doubtful[i] : plain[i - ARRAY_LEN(doubtful)];
		CLEANUP(arena_done) struct arena arena = { 0 };
		struct script *s;

		assert_int_equal(shell_parse(&arena, (struct bytes){ text, strlen(text) }, &zsh, &s), 0);
		if ((s->unmodelled != 0) != wanted)
			fail_msg("%s modelled: %s (%s)", wanted ? "taken for" : "not taken for", text,
				s->unmodelled_why != NULL ? s->unmodelled_why : "");
	}
}

static void test_listed_before_refusal(void **state)
{
	static const struct shell_case cases[] = {
		{ "a; b $(c); (d", "top:a ; subst:c ; top:b,* ; subshell:d !syntax" },
		{ "a\nb | )", "top:a ; pipe:b !syntax" },
	};

	(void)state;
	check_cases(cases, ARRAY_LEN(cases), &bash);
}

static const struct simple_command *command(struct arena *arena, const char *text, unsigned int n)
{
	const struct simple_command *c;
	struct script *s;

	assert_int_equal(shell_parse(arena, (struct bytes){ text, strlen(text) }, &bash, &s), 0);
	for (c = s->commands; c && n; c = c->next)
		n--;
	assert_non_null(c);
	return c;
}

static void test_circumstances(void **state)
{
	static const struct {
		const char *text;
		unsigned int n;
		bool in, out, background, conditional;
	} cases[] = {
		{ "a | b | c", 0, false, true, false, false },
		{ "a | b | c", 1, true, true, false, false },
		{ "a | b | c", 2, true, false, false, false },
		{ "a & b", 0, false, false, true, false },
		{ "a & b", 1, false, false, false, false },
		{ "a && b & c", 1, false, false, true, true },
		{ "a && b; c", 2, false, false, false, false },
		{ "if a; then b; fi; c", 0, false, false, false, false },
		{ "if a; then b; fi; c", 1, false, false, false, true },
		{ "if a; then b; fi; c", 2, false, false, false, false },
		{ "while a; do b; done", 1, false, false, false, true },
		{ "case a in b) c;; esac", 0, false, false, false, true },
		{ "f() { a; }", 0, false, false, false, true },
		{ "a || b $(c)", 1, false, false, false, true },
		{ "(a; b) &", 1, false, false, true, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(arena_done) struct arena arena = { 0 };
		const struct simple_command *c = command(&arena, cases[i].text, cases[i].n);

		assert_int_equal(c->piped_in, cases[i].in);
		assert_int_equal(c->piped_out, cases[i].out);
		assert_int_equal(c->background, cases[i].background);
		assert_int_equal(c->conditional, cases[i].conditional);
	}
}

static void test_sources(void **state)
{
	CLEANUP(arena_done) struct arena arena = { 0 };
	const struct simple_command *c = command(&arena, "x; A=1 b  c >d  # e\n", 1);

	(void)state;
	assert_true(bytes_is(c->src, "A=1 b  c >d"));
	assert_true(bytes_is(c->words->next->src, "c"));
	assert_true(bytes_is(c->assigns->name, "A"));
	assert_true(bytes_is(c->redirects->target->src, "d"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists), cmocka_unit_test(test_compounds), cmocka_unit_test(test_commands),
		cmocka_unit_test(test_heredocs), cmocka_unit_test(test_reread), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_false_quotes),
		cmocka_unit_test(test_zsh_arithmetic),
		cmocka_unit_test(test_listed_before_refusal), cmocka_unit_test(test_circumstances),
		cmocka_unit_test(test_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
