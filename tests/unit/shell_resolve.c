/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that the line itself sets: known only where every way leads through the assignment. */
#include "tests/unit/shell_render.h"

static const struct shell_options bash = { .dialect = DIALECT_BASH, .home = { "/home/u", 7 } };

static const struct shell_case straight[] = {
	{ "A=/x; b $A/c \"$A\" ${A}d '$A'", "top A=/x ; top:b,/x/c,/x,/xd,$A" },
	{ "A=a B=$A; c $B", "top A=a,B=$A ; top:c,a" },
	{ "A=a; A=$A/b; c $A", "top A=a ; top A=$A/b ; top:c,a/b" },
	{ "A=~/x; b $A", "top A=~/x ; top:b,/home/u/x" },
	{ "A=a && b $A || c $A; d $A", "top A=a ; top:b,a ; top:c,a ; top:d,a" },
	{ "A=a; { b $A; A=c; }; d $A", "top A=a ; group:b,a ; group A=c ; top:d,c" },
	{ "A=a; b <<E\n$A $B\nE", "top A=a ; top:b <<<>E=a *" },
	{ "A=a; b > $A <<< \"$A\"", "top A=a ; top:b <>>a <<<<>a" },
	{ "A=a; b $(c $A)", "top A=a ; subst:c,a ; top:b,*" },
	{ "A=a; (b $A) | c $A &", "top A=a ; pipe/subshell:b,a ; pipe:c,a" },
	{ "A=a; ! b $A; time c $A", "top A=a ; top:b,a ; top:c,a" },
	{ "export A=a; b $A; declare B=c; d $B; readonly C=e; f $C",
		"top:export,A=a ; top:b,a ; top:declare,B=c ; top:d,c ; top:readonly,C=e ; top:f,e" },
	{ "A=a; export B=$A; b $B", "top A=a ; top:export,B=a ; top:b,a" },
	{ "A=a; case $A in $A) b $A;; esac; c $A", "top A=a ; case:b,a ; top:c,a" },
	{ "A=a; if b $A; then c $A; else d $A; fi; e $A", "top A=a ; if:b,a ; if:c,a ; if:d,a ; top:e,a" },
	{ "A=a; for x in $A; do b $A $x; done; c $A", "top A=a ; loop:b,a,* ; top:c,a" },
	{ "A=a; while read -r x; do b $A $x; done; c $A", "top A=a ; loop:read,-r,x ; loop:b,a,* ; top:c,a" },
	{ "$A; B=rm; \"$B\" x", "top:* ; top B=rm ; top:rm,x" },
	{ "A=a; printf '%s' $A; b $A", "top A=a ; top:printf,%s,a ; top:b,a" },
};

/* Each of these leaves the variable, or the word, unknown. */
static const struct shell_case unknown[] = {
	{ "A=a b $A; c $A", "top A=a:b,* ; top:c,*" },
	{ "A='x y' B='*' C='a[b]'; b $A $B $C \"$A\"", "top A='x y',B='*',C='a[b]' ; top:b,*,*,*,x y" },
	{ "A=; b $A; c x$A \"$A\"", "top A= ; top:b,* ; top:c,x," },
	{ "IFS=/; A=a/b; b $A \"$A\"", "top IFS=/ ; top A=a/b ; top:b,*,a/b" },
	{ "b && A=a; c $A", "top:b ; top A=a ; top:c,*" },
	{ "A=a; b || A=c; d $A", "top A=a ; top:b ; top A=c ; top:d,*" },
	{ "A=a; if b; then A=c; d $A; fi; e $A", "top A=a ; if:b ; if A=c ; if:d,c ; top:e,*" },
	{ "A=a; case b in c) A=d;; esac; e $A", "top A=a ; case A=d ; top:e,*" },
	{ "A=a; for x in b; do c $A; A=d; done; e $A", "top A=a ; loop:c,* ; loop A=d ; top:e,*" },
	{ "A=a; while c $A; do for y in b; do A=d; done; done", "top A=a ; loop:c,* ; loop/loop A=d" },
	{ "A=a; for A in b c; do d $A; done; e $A", "top A=a ; loop:d,* ; top:e,*" },
	{ "A=a; (A=b); c $A", "top A=a ; subshell A=b ; top:c,*" },
	{ "A=a; A=b | c; d $A", "top A=a ; pipe A=b ; pipe:c ; top:d,*" },
	{ "A=a; A=b & c $A", "top A=a ; top A=b ; top:c,*" },
	{ "A=a; f() { b $A; A=c; }; d $A; f; e $A",
		"top A=a ; function/group:b,* ; function/group A=c ; top:d,a ; top:f ; top:e,*" },
	{ "A=a; eval b; c $A", "top A=a ; top:eval,b ; top:c,*" },
	{ "A=a; . b; c $A", "top A=a ; top:.,b ; top:c,*" },
	{ "A=a; $B; c $A", "top A=a ; top:* ; top:c,*" },
	{ "A=a; read A; c $A", "top A=a ; top:read,A ; top:c,*" },
	{ "A=a; read -aA; c $A", "top A=a ; top:read,-aA ; top:c,*" },
	{ "A=a; unset A; c $A", "top A=a ; top:unset,A ; top:c,*" },
	{ "A=a; printf -v A b; c $A", "top A=a ; top:printf,-v,A,b ; top:c,*" },
	{ "A=a; printf $x A b; c $A", "top A=a ; top:printf,*,A,b ; top:c,*" },
	{ "A=a; mapfile -C 'A=b' -c1; c $A", "top A=a ; top:mapfile,-C,A=b,-c1 ; top:c,*" },
	{ "A=a; let A=1; c $A", "top A=a ; top:let,A=1 ; top:c,*" },
	{ "A=a; ((A=1)); c $A", "top A=a ; top:c,*" },
	{ "A=a; b $((A=1)); c $A", "top A=a ; top:b,* ; top:c,*" },
	{ "A=a; b ${A:=c} ${D:=e}; c $A", "top A=a ; top:b,*,* ; top:c,*" },
	{ "A=a; b ${x[A=1]}; c $A", "top A=a ; top:b,* ; top:c,*" },
	{ "A=a; A+=b; c $A", "top A=a ; top A+=b ; top:c,*" },
	{ "A=a; A=(b); c $A", "top A=a ; top A=(b) ; top:c,*" },
	{ "A=a; A[0]=b; c $A", "top A=a ; top A[0]=b ; top:c,*" },
	{ "A=a; {A}>b; c $A", "top A=a ; top <A>>b ; top:c,*" },
	{ "declare -i A; A=1+1; c $A", "top:declare,-i,A ; top A=1+1 ; top:c,*" },
	{ "declare -u A=a; c $A", "top:declare,-u,A=a ; top:c,*" },
	{ "declare -n A=B; A=c; d $A $B", "top:declare,-n,A=B ; top A=c ; top:d,*,*" },
	{ "readonly A=a; A=b; c $A", "top:readonly,A=a ; top A=b ; top:c,*" },
	{ "trap 'A=b' DEBUG; A=a; c $A", "top:trap,A=b,DEBUG ; top A=a ; top:c,*" },
	{ "UID=5 RANDOM=1 _=x; b $UID $RANDOM $_", "top UID=5,RANDOM=1,_=x ; top:b,*,*,*" },
	{ "HOME=/x; a ~ ~/b $HOME", "top HOME=/x ; top:a,*,*,/x" },
	{ "f() { a ~; }; HOME=/x; f", "function/group:a,* ; top HOME=/x ; top:f" },
	{ "A=a; b ${A%x} ${A/a/b} ${A:0:1} ${#A}", "top A=a ; top:b,*,*,*,*" },
	{ "A=a; coproc { A=b; }; c $A", "top A=a ; coproc/group A=b ; top:c,*" },
	{ "A=a; [[ A=1 -eq 1 ]]; c $A", "top A=a ; top:c,*" },
};

static void test_straight(void **state)
{
	(void)state;
	check_cases(straight, ARRAY_LEN(straight), &bash);
}

static void test_unknown(void **state)
{
	(void)state;
	check_cases(unknown, ARRAY_LEN(unknown), &bash);
}

/* dash splits the value that export assigns; bash and zsh do not. */
static void test_declarations_by_dialect(void **state)
{
	static const struct shell_options posix = { .dialect = DIALECT_POSIX };
	static const struct shell_case in_bash[] = { { "A='a b'; export B=$A", "top A='a b' ; top:export,B=a b" } };
	static const struct shell_case in_dash[] = { { "A='a b'; export B=$A", "top A='a b' ; top:export,B=*" } };

	(void)state;
	check_cases(in_bash, 1, &bash);
	check_cases(in_dash, 1, &posix);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_declarations_by_dialect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
