/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shipped regular expressions, as JSON text. They see a simple command's words joined by single spaces, wrappers
 * and assignments taken off; a match begins at the first word and ends at a word's end. No backslash stands in them, so
 * that they are written the same way in JSON and in C.
 */
#ifndef CONFIG_DEFAULT_RULES_H
#define CONFIG_DEFAULT_RULES_H

#define DISK "/dev/((s|h|v|xv)d[a-z]|nvme[0-9]|mmcblk[0-9]|md[0-9]|dm-[0-9]|disk/|mapper/)"

/*
 * RULE(pattern, needs ...): the denials, each with texts, in lower case, that must all stand in whatever it matches,
 * one behind a ^ at its very beginning: a line that lacks one is told without the expression, and almost every line
 * does. Raw lines are matched as well, which is where the fork bomb is found: it is a function, not a command's words.
 * Its rule begins with a literal character, so that a long line is searched for that and not tried at every place.
 */
#define DEFAULT_DENY_RULES(RULE, separator) \
	RULE("^mkfs([.][0-9a-z]+)? (.* )?(" DISK "|UUID=|LABEL=|PARTUUID=)", "^mkfs") separator \
	RULE("^dd (.* )?of=" DISK, "^dd ", "of=/dev/") separator \
	RULE("^(wipefs|blkdiscard|shred|sgdisk|sfdisk|badblocks) (.* )?" DISK, "/dev/") separator \
	RULE("[(] *[)] *[{] *(?<f>[a-z_:.][a-z0-9_:.]*+) *[|] *(?P=f) *& *;? *[}] *[;&]* *(?P=f)", \
		"(", ")", "{", "|", "&", "}") separator \
	RULE("^rm (.* )?--no-preserve-root", "^rm ", "--no-preserve-root")

enum { DENY_NEEDS_MAX = 6, DENY_NEED_SIZE = 24 };

#define RULE_AS_JSON(pattern, ...) "\"" pattern "\""
#define DEFAULT_FAST_DENY "[" DEFAULT_DENY_RULES(RULE_AS_JSON, ",") "]"

/*
 * Narrow on purpose: what a command does vouches for most of them. Each rule lists the options it knows, so that no
 * other option, abbreviation or cluster rides along; `(?-i)` because -D is not -d.
 */
#define REF "[0-9A-Za-z_@^~/][0-9A-Za-z_.@^~/{}:-]*"
#define DEFAULT_FAST_ALLOW \
	"[" \
	"\"^(pwd|whoami|id|uptime|nproc|arch|tty|logname)$\"," \
	"\"(?-i)^ls( -[1AaBdFGghiLlmnNoQqRrSstuUvXxZ]+)*( [^- ][^ ]*)*$\"," \
	"\"(?-i)^uname( -[asnrvmpio]+)*$\"," \
	"\"(?-i)^git status( (-s|-b|-sb|-v|-vv|--short|--branch|--long|--show-stash|--porcelain(=v[12])?" \
	"|-u(no|normal|all)|--untracked-files(=(no|normal|all))?|--ahead-behind|--no-ahead-behind))*$\"," \
	"\"(?-i)^git branch( (-a|-r|-v|-vv|-av|-avv|--list|--all|--remotes|--show-current|--verbose))*$\"," \
	"\"(?-i)^git worktree list( --porcelain| -v)*$\"," \
	"\"(?-i)^git remote( -v| --verbose)?$\"," \
	"\"(?-i)^git remote get-url( --push| --all)* [A-Za-z0-9][0-9A-Za-z_.-]*$\"," \
	"\"(?-i)^git (rev-parse|merge-base)( (--short(=[0-9]+)?|--abbrev-ref|--verify|-q|--show-toplevel|--git-dir" \
	"|--is-inside-work-tree|--is-ancestor|--fork-point|--all|" REF "))*$\"," \
	"\"(?-i)^gh (issue (view|list|status)|pr (view|list|diff|checks|status)|run (list|view)|release (list|view)" \
	"|label list|repo view)( [^ ]+)*$\"," \
	"\"(?-i)^systemctl (--user |--system |--no-pager |--full |-l )*(status|is-active|is-enabled|is-failed|list-units" \
	"|list-timers|show|cat)( (--user|--system|--no-pager|--full|--all|-l|-a|-q|--quiet|-n [0-9]+|--lines=[0-9]+" \
	"|--property=[A-Za-z,]+|-p [A-Za-z,]+|--value|--failed|--type=[a-z,]+|--state=[a-z,]+" \
	"|[0-9A-Za-z_@.*][0-9A-Za-z_@.*:-]*))*$\"" \
	"]"

#endif
