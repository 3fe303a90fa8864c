/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that read files and print, count or compare them, and do nothing else (coreutils, file, less in a
 * pipe). */
#include "worker/commands/model.h"

#define READS RULES{ { EACH, EFFECT_READ }, { END } }
#define LOOKS RULES{ { EACH, EFFECT_LIST }, { END } }
#define PRINTS RULES{ { ALWAYS, EFFECT_PURE }, { END } }

MODEL(cat) = {
	.name = "cat",
	.syntax = ANY_OPTION,
	.shorts = "AbeEnstTuv",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
};
MODEL(tac) = { .name = "tac",
	.syntax = ANY_OPTION,
	.shorts = "brs:",
	.longs = "before regex separator=",
	.rules = READS,
	.input = STDIN_READ };
MODEL(rev) = { .name = "rev",
	.syntax = ANY_OPTION,
	.shorts = "0",
	.longs = "zero",
	.rules = READS,
	.input = STDIN_READ };
MODEL(head) = {
	.name = "head",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "c:n:qvz",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "bytes= lines= quiet silent verbose zero-terminated",
};
/* -f never ends by itself; behind head it does. */
MODEL(tail) = {
	.name = "tail",
	.syntax = ANY_OPTION | NUMBER | PLUS,
	.shorts = "c:fFn:qrs:vz",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "bytes= follow?= lines= max-unchanged-stats= pid= quiet silent retry sleep-interval= "
		 "verbose zero-terminated",
};
MODEL(nl) = {
	.name = "nl",
	.syntax = ANY_OPTION,
	.shorts = "b:d:f:h:i:l:n:ps:v:w:",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= "
		 "join-blank-lines= number-format= no-renumber number-separator= starting-line-number= "
		 "number-width=",
};
MODEL(od) = {
	.name = "od",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "A:abcdDeEfFhHiIj:lLN:oOsS:t:vw::xX",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "address-radix= endian= skip-bytes= read-bytes= strings?= format= output-duplicates width?= "
		 "traditional",
};
MODEL(hexdump) = {
	.name = "hexdump",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "bCcde:L::n:os:vxX",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "canonical length= skip= no-squeezing one-byte-hex two-bytes-hex color?= format=",
	/* What it takes for no format it shows in its complaint. */
	.options = OPTIONS{ { "f", "format-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ }, { 0 } },
};
MODEL(strings) = {
	.name = "strings",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "adfn:ot:e:T:s:wU:",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "all data print-file-name bytes= radix= encoding= target= output-separator= "
		 "include-all-whitespace unicode=",
};
MODEL(base64) = {
	.name = "base64",
	.syntax = ANY_OPTION,
	.shorts = "diw:D",
	.longs = "decode ignore-garbage wrap=",
	.rules = READS,
	.input = STDIN_READ,
};
MODEL(base32) = { .name = "base32",
	.syntax = ANY_OPTION,
	.shorts = "diw:",
	.longs = "decode ignore-garbage wrap=",
	.rules = READS,
	.input = STDIN_READ };
MODEL(cut) = {
	.name = "cut",
	.syntax = ANY_OPTION,
	.shorts = "b:c:d:f:nsz",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= "
		 "zero-terminated",
};
MODEL(paste) = { .name = "paste",
	.syntax = ANY_OPTION,
	.shorts = "d:sz",
	.longs = "delimiters= serial zero-terminated",
	.rules = READS,
	.input = STDIN_READ };
MODEL(join) = {
	.name = "join",
	.syntax = ANY_OPTION,
	.shorts = "a:e:ij:o:t:v:1:2:z",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "ignore-case check-order nocheck-order header zero-terminated",
};
MODEL(comm) = {
	.name = "comm",
	.syntax = ANY_OPTION,
	.shorts = "123z",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "check-order nocheck-order output-delimiter= total zero-terminated",
};
MODEL(fold) = { .name = "fold",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "bsw:",
	.longs = "bytes spaces width=",
	.rules = READS,
	.input = STDIN_READ };
MODEL(fmt) = {
	.name = "fmt",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "cp:stuw:g:",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "crown-margin prefix= split-only tagged-paragraph uniform-spacing width= goal=",
};
MODEL(expand) = { .name = "expand",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "it:",
	.longs = "initial tabs=",
	.rules = READS,
	.input = STDIN_READ };
MODEL(unexpand) = { .name = "unexpand",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "at:",
	.longs = "all first-only tabs=",
	.rules = READS,
	.input = STDIN_READ };
MODEL(column) = {
	.name = "column",
	.syntax = ANY_OPTION,
	.shorts = "c:dH:xelo:O:R:s:tT:W:N:n:Jr:i:p:C:E:L",
	.rules = READS,
	.input = STDIN_READ,
	.longs = "table separator= output-separator= output-width= fillrows json table-name= table-columns= "
		 "table-right= table-truncate= table-wrap= table-hide= table-order= table-noheadings "
		 "keep-empty-lines table-columns-limit=",
};
MODEL(pr) = { .name = "pr",
	.syntax = ANY_OPTION | NUMBER | PLUS | PARTIAL,
	.shorts = "acdD:e::FfhJl:mn::N:o:rs::S::tTvw:W:",
	.rules = READS,
	.input = STDIN_READ };
MODEL(tsort) = { .name = "tsort", .syntax = ANY_OPTION, .rules = READS, .input = STDIN_READ };
MODEL(ptx) = { .name = "ptx", .syntax = ANY_OPTION, .refuse = "may write its output" };
MODEL(tr) = {
	.name = "tr",
	.syntax = ANY_OPTION,
	.shorts = "cCdst",
	.longs = "complement delete squeeze-repeats truncate-set1",
	.rules = PRINTS,
	.input = STDIN_READ,
};

/* Sums, sizes and kinds: nothing of the content is shown. -c reads a list of sums. */
#define SUMS "binary check ignore-missing quiet status strict tag text warn zero"
MODEL(md5sum) = { .name = "md5sum",
	.syntax = ANY_OPTION,
	.shorts = "bctwz",
	.longs = SUMS,
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(sha1sum) = { .name = "sha1sum",
	.syntax = ANY_OPTION,
	.shorts = "bctwz",
	.longs = SUMS,
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(sha224sum) = { .name = "sha224sum",
	.syntax = ANY_OPTION,
	.shorts = "bctwz",
	.longs = SUMS,
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(sha256sum) = { .name = "sha256sum",
	.syntax = ANY_OPTION,
	.shorts = "bctwz",
	.longs = SUMS,
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(sha384sum) = { .name = "sha384sum",
	.syntax = ANY_OPTION,
	.shorts = "bctwz",
	.longs = SUMS,
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(sha512sum) = { .name = "sha512sum",
	.syntax = ANY_OPTION,
	.shorts = "bctwz",
	.longs = SUMS,
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(b2sum) = { .name = "b2sum",
	.syntax = ANY_OPTION,
	.shorts = "bcl:twz",
	.longs = SUMS " length=",
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(shasum) = { .name = "shasum",
	.syntax = ANY_OPTION,
	.shorts = "a:bctUp0sw",
	.longs = "algorithm= binary check text portable",
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(cksum) = { .name = "cksum",
	.syntax = ANY_OPTION,
	.shorts = "a:bctwzl:",
	.longs = SUMS " algorithm= length= untagged raw base64",
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(sum) = { .name = "sum",
	.syntax = ANY_OPTION,
	.shorts = "rs",
	.longs = "sysv",
	.rules = LOOKS,
	.input = STDIN_COUNTED };
MODEL(wc) = {
	.name = "wc",
	.syntax = ANY_OPTION,
	.shorts = "clLmw",
	.longs = "bytes chars lines max-line-length words total=",
	.rules = LOOKS,
	.options = OPTIONS{ { NULL, "files0-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ }, { 0 } },
	.input = STDIN_COUNTED,
};
MODEL(cmp) = { .name = "cmp",
	.syntax = ANY_OPTION,
	.shorts = "bi:ln:s",
	.longs = "print-bytes ignore-initial= verbose bytes= quiet silent",
	.rules = READS };
enum { WHOLE_FILES = 1 /* also those that one side has not */ };

/* Against a directory that has none of its files a tree is printed whole, with what is secret in it. */
static void diff_command(struct run *run)
{
	for (uint32_t i = 0; (run->bits & WHOLE_FILES) && i < run->n_operands; i++)
		if (!run->operands[i].is_static || only_of(run->operands[i].text, 0, "./"))
			run_open(run, "diff -N prints every file of a tree");
}

MODEL(diff) = {
	.name = "diff",
	.syntax = ANY_OPTION | NUMBER | PARTIAL,
	.shorts = "qscC:uU:enyW:pF:tTraI:ibwBEdD:x:X:S:L:ZH",
	.rules = READS,
	.special = diff_command,
	.longs = "normal brief report-identical-files context?= unified?= ed rcs side-by-side width= "
		 "left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs "
		 "initial-tab tabsize= suppress-blank-empty recursive no-dereference "
		 "ignore-file-name-case exclude= exclude-from= starting-file= "
		 "ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change "
		 "ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal "
		 "horizon-lines= speed-large-files color?= palette=",
	.options = OPTIONS{ { "l", "paginate", NOTHING, REFUSE, .text = "-l runs pr" },
		{ "N", "new-file unidirectional-new-file", NOTHING, IGNORE, .set = WHOLE_FILES }, { 0 } },
};
MODEL(colordiff) = { .name = "colordiff",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "urNq",
	.rules = READS,
	.input = STDIN_READ };
MODEL(diff3) = { .name = "diff3", .syntax = ANY_OPTION | PARTIAL, .shorts = "AeEimT3xX", .rules = READS };

MODEL(file) = {
	.name = "file",
	.shorts = "bcdEhikLNnprsSvzZ0F:P:e:",
	.rules = LOOKS,
	.syntax = PARTIAL,
	.longs = "brief mime mime-type mime-encoding dereference no-dereference raw keep-going special-files "
		 "uncompress print0 separator= extension",
	.options = OPTIONS{ { "fm", "files-from magic-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
		{ "C", "compile", NOTHING, REFUSE, .text = "-C writes a compiled file" }, { 0 } },
};
MODEL(stat) = {
	.name = "stat",
	.syntax = ANY_OPTION,
	.shorts = "Lfc:tx",
	.longs = "dereference file-system cached= format= printf= terse",
	.rules = LOOKS,
};
MODEL(ls) = {
	.name = "ls",
	.syntax = ANY_OPTION,
	.shorts = "aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1",
	.longs = "all almost-all author escape block-size= ignore-backups color?= directory dired classify?= "
		 "file-type format= full-time group-directories-first no-group human-readable si "
		 "dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink?= "
		 "indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal "
		 "hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size "
		 "sort= time= time-style= tabsize= width= context zero",
	.rules = RULES{ { EACH, EFFECT_LIST }, { ABSENT, EFFECT_LIST }, { END } },
};
MODEL(exa) = { .name = "exa",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "1aAlhbBgiHmuUSnF@RTL:rs:I:dxGoZ",
	.longs = "long all tree level= git icons group-directories-first sort= reverse header",
	.rules = RULES{ { EACH, EFFECT_LIST }, { ABSENT, EFFECT_LIST }, { END } } };
MODEL(tree) = {
	.name = "tree",
	.shorts = "adlfxqNQpugshDFvtcUrnCASiXJRL:P:I:",
	.syntax = ANY_OPTION | NO_ABBREVIATION,
	.longs = "dirsfirst filesfirst prune noreport gitignore matchdirs ignore-case filelimit= charset= "
		 "sort= du si timefmt= inodes device",
	.options = OPTIONS{ { "o", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "H", NULL, REQUIRED, IGNORE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_LIST }, { ABSENT, EFFECT_LIST }, { END } },
};
MODEL(du) = {
	.name = "du",
	.syntax = ANY_OPTION,
	.shorts = "0aB:bcDd:hHklLmPsSt:xg",
	.rules = RULES{ { EACH, EFFECT_LIST }, { ABSENT, EFFECT_LIST }, { END } },
	.longs = "null all apparent-size block-size= bytes total dereference-args max-depth= human-readable "
		 "inodes dereference no-dereference separate-dirs si summarize threshold= time?= time-style= "
		 "exclude= one-file-system",
	.options = OPTIONS{ { NULL, "files0-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
		{ "X", "exclude-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
};
MODEL(df) = {
	.name = "df",
	.syntax = ANY_OPTION,
	.shorts = "aB:hHiklmPt:Tvx:g",
	.rules = RULES{ { EACH, EFFECT_LIST }, { ALWAYS, EFFECT_STATUS }, { END } },
	.longs = "all block-size= human-readable si inodes local no-sync output?= portability sync total "
		 "type= print-type exclude-type=",
};
MODEL(basename) = { .name = "basename",
	.syntax = ANY_OPTION,
	.shorts = "as:z",
	.longs = "multiple suffix= zero",
	.rules = PRINTS };
MODEL(dirname) = { .name = "dirname", .syntax = ANY_OPTION, .shorts = "z", .longs = "zero", .rules = PRINTS };
MODEL(readlink) = {
	.name = "readlink",
	.syntax = ANY_OPTION,
	.shorts = "femnqsvz",
	.rules = LOOKS,
	.longs = "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose "
		 "zero",
};
MODEL(realpath) = {
	.name = "realpath",
	.syntax = ANY_OPTION,
	.shorts = "eLmPqsz",
	.rules = LOOKS,
	.longs = "canonicalize-existing canonicalize-missing logical physical quiet relative-to= "
		 "relative-base= strip no-symlinks zero",
};
MODEL(pathchk) = {
	.name = "pathchk", .syntax = ANY_OPTION, .shorts = "pP", .longs = "portability", .rules = PRINTS
};
MODEL(which) = { .name = "which",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "as",
	.longs = "all skip-alias",
	.rules = PRINTS };
MODEL(whereis) = {
	.name = "whereis", .syntax = ANY_OPTION | NO_LONG, .shorts = "bmsulfB:M:S:", .rules = PRINTS
};
MODEL(seq) = { .name = "seq",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = "f:s:w",
	.longs = "format= separator= equal-width",
	.rules = PRINTS };
MODEL(expr) = { .name = "expr", .syntax = NO_OPTIONS | ANY_OPTION, .rules = PRINTS };
MODEL(factor) = { .name = "factor",
	.syntax = ANY_OPTION,
	.shorts = "h",
	.longs = "exponents",
	.rules = PRINTS,
	.input = STDIN_READ };
MODEL(numfmt) = {
	.name = "numfmt",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "d:z",
	.rules = PRINTS,
	.input = STDIN_READ,
	.longs = "debug delimiter= field= format= from= from-unit= grouping header?= invalid= padding= "
		 "round= suffix= to= to-unit= zero-terminated",
};
MODEL(yes) = { .name = "yes", .syntax = ANY_OPTION, .rules = PRINTS };
MODEL(sleep) = { .name = "sleep", .syntax = ANY_OPTION, .rules = PRINTS };
MODEL(sync) = {
	.name = "sync", .syntax = ANY_OPTION, .shorts = "df", .longs = "data file-system", .rules = PRINTS
};
MODEL(shuf) = {
	.name = "shuf",
	.shorts = "i:n:rz",
	.longs = "input-range= head-count= repeat zero-terminated",
	.input = STDIN_READ,
	.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "random-source", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ "e", "echo", NOTHING, IGNORE, .set = 1 }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ, .unless = 1 }, { END } },
};
