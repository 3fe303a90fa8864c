/* SPDX-License-Identifier: Apache-2.0 */
/* Words: what is static and exactly what it is; what is dynamic and what it begins with. */
#include "tests/unit/shell_render.h"

static const struct shell_options bash = {
	.dialect = DIALECT_BASH, .home = { "/home/u", 7 }, .cwd = { "/srv/w", 6 },
};

static const struct shell_case quoting[] = {
	{ "a b  c", "top:a,b,c" },
	{ "echo 'a b' \"c d\" e\\ f", "top:echo,a b,c d,e f" },
	{ "echo a'b'\"c\"\\d", "top:echo,abcd" },
	{ "echo '' \"\"", "top:echo,," },
	{ "echo \"\\$a \\` \\\" \\\\ \\n\"", "top:echo,$a ` \" \\ \\n" },
	{ "echo '\\' \"'\" '\"'", "top:echo,\\,',\"" },
	{ "ec\\\nho a\\\nb 'a\\\nb' \"a\\\nb\"", "top:echo,ab,a\\\nb,ab" },
	{ "echo a\\", "top:echo,a\\" },
	{ "echo a#b #c", "top:echo,a#b" },
	{ "'l's -\"l\"a", "top:ls,-la" },
	{ "\\ls", "top:ls" },
	{ "echo a$ $ \"$\" $% a$'\\x41'", "top:echo,a$,$,$,$%,aA" },
	{ "echo caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac", "top:echo,caf\xc3\xa9,\xe6\x97\xa5\xe6\x9c\xac" },
	{ "echo a:b=c,d@e%f+g^h", "top:echo,a:b=c,d@e%f+g^h" },
};

static const struct shell_case ansi_c[] = {
	{ "echo $'a\\tb\\n'", "top:echo,a\tb\n" },
	{ "echo $'\\a\\b\\e\\E\\f\\r\\v\\\\\\'\\\"\\?'", "top:echo,\a\b\033\033\f\r\v\\'\"?" },
	{ "echo $'\\101\\x41\\x4\\u41\\U00000041'", "top:echo,AA\x04" "AA" },
	{ "echo $'\\x{41}\\x{}' a", "top:echo,A,a" },
	{ "echo $'a\\0b'c", "top:echo,ac" },
	{ "echo $'a\\x00b'c", "top:echo,ac" },
	{ "echo $'\\q\\x\\u\\8'", "top:echo,\\q\\x\\u\\8" },
	{ "echo $'\\cA'", "top:echo,*" },
	{ "echo $'\\u00e9'x", "top:echo,*" },
	{ "echo $'a\\\nb'", "top:echo,a\\\nb" },
	{ "$'\\x72\\x6d' x", "top:rm,x" },
	{ "echo \"$'a'\"", "top:echo,$'a'" },
	{ "echo $\"a\"", "top:echo,*" },
};

static const struct shell_case tildes[] = {
	{ "echo ~ ~/a ~u ~+ ~- ~1", "top:echo,/home/u,/home/u/a,*,*,*,*" },
	{ "echo a~ \"~\" '~'/a \\~ ~\"/a\" ~'u'", "top:echo,a~,~,~/a,~,~/a,~u" },
	{ "echo a=~ a=~/b a=b:~/c a=~:~", "top:echo,a=/home/u,a=/home/u/b,a=b:/home/u/c,a=/home/u:/home/u" },
	{ "echo --a=~ a:~ a=\"~\" a=b~", "top:echo,--a=~,a:~,a=~,a=b~" },
	{ "echo ~$x ~{a,b} ~*", "top:echo,*,*,*" },
	{ "echo =~/a :~/a ==~ a==~ a=b=~", "top:echo,=~/a,:~/a,==~,a==~,a=b=~" },
	{ "echo ~/*.c", "top:echo,/home/u/*" },
	{ "echo ~\\\n ~\\\n/a ~\\\nu", "top:echo,/home/u,/home/u/a,*" },
	{ "ls > ~/x", "top:ls <>>/home/u/x" },
	{ "echo $HOME/x \"${HOME}\" $PWD/y", "top:echo,/home/u/x,/home/u,/srv/w/y" },
	{ "HOME=/; echo ~/x $HOME", "top HOME=/ ; top:echo,*,/" },
	{ "cd x; echo $PWD", "top:cd,x ; top:echo,*" },
};

static const struct shell_case patterns[] = {
	{ "echo * a*b ?x [ab] x[!a-z]", "top:echo,*,a*,*,*,x*" },
	{ "echo [ ] a[ a] [] a[]b]", "top:echo,[,],a[,a],*,a*" },
	{ "echo '*' \"?\" \\* [\"a\"] [\\]", "top:echo,*,?,*,*,[]" },
	{ "[ a = b ]", "top:[,a,=,b,]" },
	{ "echo @(a|b) !(c) x+(d|e f) *(g) ?(h)", "top:echo,*,*,x*,*,*" },
	{ "echo {a,b} x{1..3} {a,{b,c}}d", "top:echo,*,x*,*" },
	{ "echo {} {a} a{b a}b {a,b {a b} {,", "top:echo,{},{a},a{b,a}b,{a,b,{a,b},{," },
	{ "echo {} {},a} x{},a}", "top:echo,{},{},a},x*" },
	{ "echo '{a,b}' {'a,b'} \\{a,b} {a\\,b} {a\",\"b} {\"a\",b}", "top:echo,{a,b},{a,b},{a,b},{a,b},{a,b},*" },
	{ "echo HEAD@{1} a{1}..{2} {1..} {..2} {a}{b},{c}", "top:echo,HEAD@{1},a{1}..{2},{1..},*,{a}{b},{c}" },
	{ "echo ${a}{b,c} $a,{b", "top:echo,*,*" },
	{ "a={b,c} d=*.e", "top a={b,c},d=*.e" },
};

static const struct shell_case expansions[] = {
	{ "echo $a x$a \"x $a\" ${a} ${a:-b} ${#a} ${!a} ${a/b/c}", "top:echo,*,x*,x *,*,*,*,*,*" },
	{ "echo $(b) x`c` \"$(d \"e f\")\"", "subst:b ; subst:c ; subst:d,e f ; top:echo,*,x*,*" },
	{ "echo $((1+2)) $[3] \"$((4))\"", "top:echo,*,*,*" },
	{ "cat <(a b) >(c)", "procsub:a,b ; procsub:c ; top:cat,*,*" },
	{ "echo $? $$ $! $# $@ $* $- $0 $1x $_", "top:echo,*,*,*,*,*,*,*,*,*,*" },
	{ "echo ${a:-$(b)} \"${a:+`c`}\" ${a//$(d)/x}", "subst:b ; subst:c ; subst:d ; top:echo,*,*,*" },
	{ "echo $((1+$(a))) $((b[$(c)]))", "subst:a ; subst:c ; top:echo,*,*" },
	{ "echo `a \\`b \\\\\\`c\\\\\\`\\``", "subst/subst/subst:c ; subst/subst:b,* ; subst:a,* ; top:echo,*" },
	{ "echo \"`a \"b c\"`\" \"`a \\\"b c\\\"`\"", "subst:a,b c ; subst:a,b c ; top:echo,*,*" },
	{ "echo $((a) ; (b)) $( (c) )", "subst/subshell:a ; subst/subshell:b ; subst/subshell:c ; top:echo,*,*" },
	{ "echo $(case x in a) b;; (c) d; esac)", "subst/case:b ; subst/case:d ; top:echo,*" },
	{ "echo $(a # )\n)", "subst:a ; top:echo,*" },
	{ "echo ${ a; } ${| b; }x", "subst:a ; subst:b ; top:echo,*,*" },
	{ "echo \"${ a; }\"", "subst:a ; top:echo,*" },
	{ "echo ${a[b c]} ${a['x']} ${a[@]} ${a:1:2} ${a^^} ${a@Q}", "top:echo,*,*,*,*,*,*" },
	{ "echo \"${a:-'b'}\" \"${a#'b c'}\" \"${a:-\"b c\"}\"", "top:echo,*,*,*" },
	{ "echo \"${a:-'$(b)'}\"", "subst:b ; top:echo,* !" },
	{ "echo $(())", "top:echo,*" },
};

static void test_quoting(void **state)
{
	(void)state;
	check_cases(quoting, ARRAY_LEN(quoting), &bash);
}

static void test_ansi_c(void **state)
{
	(void)state;
	check_cases(ansi_c, ARRAY_LEN(ansi_c), &bash);
}

static void test_tildes(void **state)
{
	(void)state;
	check_cases(tildes, ARRAY_LEN(tildes), &bash);
}

static void test_patterns(void **state)
{
	(void)state;
	check_cases(patterns, ARRAY_LEN(patterns), &bash);
}

static void test_expansions(void **state)
{
	(void)state;
	check_cases(expansions, ARRAY_LEN(expansions), &bash);
}

/* Without a home directory a tilde stays what it is: unknown. */
static void test_no_home(void **state)
{
	static const struct shell_options nowhere = { .dialect = DIALECT_BASH };
	static const struct shell_case cases[] = { { "echo ~ ~/a $HOME $PWD", "top:echo,*,*,*,*" } };

	(void)state;
	check_cases(cases, ARRAY_LEN(cases), &nowhere);
}

static const struct word *nth_word(struct arena *arena, const char *text, unsigned int n)
{
	const struct word *w;
	struct script *script;

	assert_int_equal(shell_parse(arena, (struct bytes){ text, strlen(text) }, &bash, &script), 0);
	assert_non_null(script->commands);
	for (w = script->commands->words; w && n; w = w->next)
		n--;
	assert_non_null(w);
	return w;
}

static void test_flags(void **state)
{
	static const struct {
		const char *word;
		uint32_t flags;
	} cases[] = {
		{ "a", 0 },
		{ "'a'", WORD_QUOTED },
		{ "\\a", WORD_QUOTED },
		{ "*", WORD_GLOB },
		{ "@(a)", WORD_GLOB },
		{ "{a,b}", WORD_BRACE },
		{ "~/x", WORD_TILDE },
		{ "$x", WORD_PARAM | WORD_SPLITS },
		{ "\"$x\"", WORD_PARAM | WORD_QUOTED },
		{ "\"$@\"", WORD_PARAM | WORD_QUOTED | WORD_SPLITS },
		{ "\"${a[@]}\"", WORD_PARAM | WORD_QUOTED | WORD_SPLITS },
		{ "$((1))", WORD_ARITH | WORD_SPLITS },
		{ "a=b", WORD_ASSIGNS },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(arena_done) struct arena arena = { 0 };
		char line[64];

		snprintf(line, sizeof(line), "echo %s", cases[i].word);
		assert_int_equal(nth_word(&arena, line, 1)->flags, cases[i].flags);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoting), cmocka_unit_test(test_ansi_c), cmocka_unit_test(test_tildes),
		cmocka_unit_test(test_patterns), cmocka_unit_test(test_expansions), cmocka_unit_test(test_no_home),
		cmocka_unit_test(test_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
