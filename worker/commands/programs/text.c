/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that transform text and can name a file to write to, or a program to run: sort, uniq, yq, xxd,
 * iconv … */
#include "worker/commands/model.h"

enum { IN_PLACE = 1, TO_STDOUT = 2, PROGRAM_GIVEN = 8, CHECK_ONLY = 16 };

MODEL(sort) = {
	.name = "sort",
	.shorts = "bcCdfghik:Mmnrst:uVS:z",
	.input = STDIN_READ,
	.longs = "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting "
		 "month-sort human-numeric-sort numeric-sort random-sort sort= reverse version-sort "
		 "batch-size= check?= debug field-separator= key= merge buffer-size= parallel= stable unique "
		 "zero-terminated",
	.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "T", "temporary-directory", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
		{ NULL, "files0-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
		{ NULL, "random-source", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ NULL, "compress-program", REQUIRED, REFUSE, .text = "--compress-program runs a program" },
		{ "R", NULL, NOTHING, IGNORE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ }, { END } },
};
MODEL(uniq) = {
	.name = "uniq",
	.syntax = NUMBER | PLUS,
	.shorts = "cdDf:is:uzw:",
	.input = STDIN_READ,
	.longs = "count repeated all-repeated?= skip-fields= group?= ignore-case skip-chars= unique "
		 "zero-terminated check-chars=",
	.rules = RULES{ { FIRST, EFFECT_READ }, { SECOND, EFFECT_WRITE }, { END } },
};
MODEL(iconv) = {
	.name = "iconv",
	.shorts = "f:t:lcsV",
	.longs = "from-code= to-code= list silent verbose",
	.input = STDIN_READ,
	.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ }, { END } },
};

/* xxd [options] [in [out]]; -r turns text back into bytes. One dash or two, no clusters of options with
 * values. */
MODEL(xxd) = {
	.name = "xxd",
	.syntax = ONE_DASH,
	.shorts = "abdeEipruC",
	.input = STDIN_READ,
	.longs = "c= cols= g= groupsize= l= len= n= name= o= s= seek= autoskip bits capitalize EBCDIC "
		 "include postscript plain ps revert uppercase R= d",
	.rules = RULES{ { FIRST, EFFECT_READ }, { SECOND, EFFECT_WRITE }, { END } },
};
MODEL(dos2unix) = {
	.name = "dos2unix",
	.shorts = "bcfhkqs",
	.longs = "force keepdate quiet safe",
	.syntax = PARTIAL,
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } },
};
MODEL(envsubst) = { .name = "envsubst",
	.shorts = "v",
	.longs = "variables",
	.input = STDIN_READ,
	.refuse = "puts the values of variables into its output" };

/* yq (either of that name): -i writes the files back; load(), env() and system() in an expression reach
 * further. */
static void yq_command(struct run *run)
{
	bool named = run->n_operands > 1 && run->operands[0].is_static &&
		in_list(run->operands[0].text, "eval e eval-all ea");

	if (named) {
		run->operands++;
		run->n_operands--;
	}
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (i == 0 && !(run->bits & PROGRAM_GIVEN)) {
			if (a->is_static &&
				(bytes_find(a->text, "env") || bytes_find(a->text, "load") ||
					bytes_find(a->text, "system")))
				run_open(run, "the expression of yq reaches beyond its input");
			if (run->n_operands > 1 || named)
				continue;
		}
		run_effect(run, run->bits & IN_PLACE ? EFFECT_WRITE : EFFECT_READ, a);
	}
}

MODEL(yq) = {
	.name = "yq",
	.syntax = PARTIAL,
	.shorts = "CMNnPreyYjcSaRo:p:I:",
	.special = yq_command,
	.input = STDIN_READ,
	.longs = "colors no-colors no-doc null-input prettyPrint unwrapScalar?= exit-status output-format= "
		 "input-format= indent= raw-output yaml-output json-output tojson sort-keys slurp "
		 "compact-output",
	.options = OPTIONS{ { "i", "inplace in-place", NOTHING, IGNORE, .set = IN_PLACE },
		{ "s", "split-exp", NOTHING, REFUSE, .text = "-s may write files that its input names" }, { 0 } },
};

MODEL(bc) = { .name = "bc",
	.shorts = "hilqsw",
	.longs = "interactive mathlib quiet standard warn",
	.input = STDIN_READ,
	.rules = RULES{ { EACH, EFFECT_READ }, { END } } };
/* dc runs a shell for the command "!" of its input. */
MODEL(dc) = { .name = "dc", .refuse = "may run commands that its input names" };
MODEL(cal) = { .name = "cal",
	.syntax = ANY_OPTION | NUMBER | PARTIAL,
	.shorts = "13jmsywhA:B:d:",
	.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } };
/* PDF [TEXT]: without the second name the text gets that of the first, with another ending; - prints it. */
static void pdftotext_command(struct run *run)
{
	const struct arg *pdf = run->operands;

	if (run->n_operands > 1 && !arg_is(&run->operands[1], "-"))
		run_effect(run, EFFECT_WRITE, &run->operands[1]);
	if (run->n_operands != 1)
		return;
	if (pdf->is_static && pdf->text.len > 4 && bytes_end(pdf->text, ".pdf"))
		run_effect_text(run, EFFECT_WRITE,
			run_join(run, (struct bytes){ pdf->text.p, pdf->text.len - 4 }, BYTES(".txt")));
	else
		run_open(run, "pdftotext writes beside its input");
}

MODEL(pdftotext) = {
	.name = "pdftotext",
	.syntax = ONE_DASH,
	.longs =
		"f= l= r= x= y= W= H= layout fixed= raw nodiag htmlmeta enc= eol= nopgbrk bbox opw= upw= q v",
	.rules = RULES{ { FIRST, EFFECT_READ }, { END } },
	.special = pdftotext_command,
};
MODEL(xmllint) = {
	.name = "xmllint",
	.syntax = ONE_DASH,
	.longs = "noout format xpath= html nonet recover debug noblanks huge c14n encode= pretty= "
		 "valid schema=",
	.options = OPTIONS{ { NULL, "output o", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "noent xinclude dtdload dtdattr loaddtd", NOTHING, REFUSE,
			.text = "prints other files that the document names" },
		{ 0 } },
	.rules = RULES{ { EACH, EFFECT_READ }, { END } },
	.input = STDIN_READ,
};
/* A pager reads, and where its output is no terminal it prints. Commands of its own it takes from whoever sits at the
 * terminal, and from words with a plus: of these only the ones that search and move (less(1), "COMMANDS"). */
static void less_command(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		struct bytes text = run->argv[i].text;

		if (bytes_start(text, "+") && (!run->argv[i].is_static ||
			!(bytes_start(text, "+/") || only_of(text, 1, "0123456789gGF%"))))
			run_open(run, "less is given commands of its own");
	}
}

MODEL(less) = {
	.name = "less",
	.syntax = PLUS | PARTIAL,
	.shorts = "aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWXb:h:j:p:P:x:y:z:",
	.input = STDIN_READ,
	.longs = "RAW-CONTROL-CHARS quit-if-one-screen no-init chop-long-lines LINE-NUMBERS ignore-case",
	.options = OPTIONS{ { "oO", "log-file LOG-FILE", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ }, { END } },
	.special = less_command,
};
MODEL(bat) = {
	.name = "bat",
	.syntax = PARTIAL,
	.shorts = "Apnl:r:H:m:uSLfsd",
	.input = STDIN_READ,
	.longs = "plain number line-range= language= style= color= paging= decorations= theme= wrap= tabs= "
		 "highlight-line= show-all no-pager",
	.options = OPTIONS{ { "P", NULL, NOTHING, IGNORE },
		{ NULL, "pager", REQUIRED, REFUSE, .text = "--pager runs a program" }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ }, { END } },
};
