/* SPDX-License-Identifier: Apache-2.0 */
/* System packages: apt, dpkg, dnf, apk, pacman, brew, snap … Names come from the configured registries; files
 * and URLs do not. */
#include "worker/commands/model.h"

/* Packages without which the machine does not start, or its owner does not get in. */
static bool is_core(struct bytes name)
{
	return in_list(name,
		       "libc6 libc-bin bash dash coreutils util-linux systemd systemd-sysv init dpkg apt "
		       "base-files base-passwd login passwd mount e2fsprogs findutils grep sed tar gzip sudo "
		       "openssh-server openssh-client ssh grub-pc grub-efi-amd64 grub-common network-manager "
		       "netplan.io ifupdown iproute2 udev kmod glibc musl busybox alpine-base pacman rpm dnf "
		       "yum shadow linux-base python3 python3-minimal perl perl-base ca-certificates "
		       "libpam-modules libpam-runtime") ||
		bytes_start(name, "linux-image") || bytes_start(name, "kernel");
}

/* A file or an address instead of a name. */
static bool is_file(struct bytes name)
{
	return bytes_char(name, '/')
		? bytes_find(name, "://") || bytes_start(name, "/") || bytes_start(name, "./") ||
			bytes_start(name, "../") || bytes_end(name, ".deb") || bytes_end(name, ".rpm")
		: bytes_end(name, ".deb") || bytes_end(name, ".rpm") || bytes_end(name, ".apk");
}

static void installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (a->text.len && a->is_static && bytes_end(a->text, "-") &&
			is_core((struct bytes){ a->text.p, a->text.len - 1 }))
			run_effect(run, EFFECT_PACKAGE_REMOVE_CORE, a);
		else if (is_file(a->text))
			run_effect(
				run, bytes_find(a->text, "://") ? EFFECT_INSTALL_OUTSIDE : EFFECT_EXECUTE, a);
		else
			run_effect(run, EFFECT_INSTALL_REGISTRY, a);
	}
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_INSTALL_REGISTRY, "");
}

static void removes(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run,
			is_core(run->operands[i].text) ? EFFECT_PACKAGE_REMOVE_CORE : EFFECT_PACKAGE_REMOVE,
			&run->operands[i]);
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_PACKAGE_REMOVE, "unused packages");
}

#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }
#define UPDATES RULES{ { ALWAYS, EFFECT_INSTALL_REGISTRY, .text = "" }, { END } }

/* -o sets any option of apt, among them hooks that run programs; what only tunes output and fetching is let
 * through. */
static void apt_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static ||
		!(bytes_start(value->text, "Acquire::Retries") ||
			bytes_start(value->text, "Acquire::http::Timeout") ||
			bytes_start(value->text, "Acquire::https::Timeout") ||
			bytes_start(value->text, "Acquire::ForceIPv4") ||
			bytes_start(value->text, "DPkg::Lock::Timeout") ||
			bytes_start(value->text, "Dpkg::Lock::Timeout") ||
			bytes_start(value->text, "Dpkg::Use-Pty") ||
			bytes_start(value->text, "DPkg::Use-Pty") ||
			bytes_is(value->text, "Dpkg::Options::=--force-confold") ||
			bytes_is(value->text, "Dpkg::Options::=--force-confdef") ||
			bytes_start(value->text, "APT::Install-Recommends") ||
			bytes_start(value->text, "APT::Get::Assume-Yes")))
		run_open(run, "apt -o sets an option that is not known to the gate");
}

#define APT_SHORTS "ymqsdfVut:ba:"
#define APT_LONGS "yes assume-yes assume-no quiet?= no-install-recommends install-recommends " \
	"install-suggests no-install-suggests download-only fix-broken fix-missing ignore-missing " \
	"simulate just-print dry-run no-download verbose-versions show-upgraded only-upgrade " \
	"no-upgrade reinstall target-release= default-release= no-remove auto-remove autoremove " \
	"purge print-uris installed upgradable all-versions names-only full allow-downgrades " \
	"allow-change-held-packages allow-releaseinfo-change show-progress no-list-cleanup " \
	"trivial-only arch-only with-source= indep-only only-source"
#define APT_OPTIONS OPTIONS{ { "o", "option", REQUIRED, CALL }, \
	{ "c", "config-file", REQUIRED, REFUSE, .text = "-c takes another configuration" }, \
	{ NULL, "allow-unauthenticated allow-insecure-repositories force-yes", NOTHING, REFUSE, .text = \
	"installs what is not signed" }, \
	{ 0 } }

static const struct command_model apt[] = {
	{ .name = "install|upgrade|full-upgrade|dist-upgrade|build-dep|satisfy|reinstall",
		.syntax = PARTIAL,
		.special = installs },
	{ .name = "update|check|download|source|clean|autoclean|auto-clean|distclean",
		.syntax = PARTIAL,
		.rules = UPDATES },
	{ .name = "remove|purge|autoremove|autopurge|auto-remove", .syntax = PARTIAL, .special = removes },
	{ .name = "list|show|search|policy|depends|rdepends|madison|showpkg|showsrc|stats|pkgnames|dump|"
		  "changelog|moo|indextargets|help",
		.syntax = PARTIAL,
		.rules = STATUS },
	{ .name = "edit-sources", .refuse = "edits the registries" },
	{ 0 },
};
#define APT(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | PARTIAL | \
	SUBCOMMAND_ALONE_OK | INHERITED, .shorts = APT_SHORTS, .longs = APT_LONGS, .options = \
	APT_OPTIONS, .option = apt_option, .subcommands = apt }
APT(apt_get, "apt-get");
APT(apt, "apt");
APT(apt_cache, "apt-cache");
APT(aptitude, "aptitude");
static const struct command_model apt_mark[] = {
	{ .name = "showauto|showmanual|showhold|showinstall", .rules = STATUS },
	{ .name = "hold|unhold|auto|manual|minimize-manual",
		.rules = RULES{ { ALWAYS, EFFECT_SYSTEM_CHANGE, .text = "package marks" }, { END } } },
	{ 0 },
};
MODEL(apt_mark) = { .name = "apt-mark", .syntax = POSIX_ORDER | PARTIAL, .subcommands = apt_mark };
MODEL(apt_file) = { .name = "apt-file", .syntax = PARTIAL, .shorts = "lxFi", .rules = STATUS };
MODEL(add_apt_repository) = { .name = "add-apt-repository",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_INSTALL_OUTSIDE, .text = "another registry" }, { END } } };
MODEL(apt_key) = { .name = "apt-key",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_INSTALL_OUTSIDE, .text = "another registry" }, { END } } };

MODEL(dpkg) = {
	.name = "dpkg",
	.syntax = PARTIAL,
	.shorts = "E",
	.longs = "print-architecture print-foreign-architectures no-pager compare-versions audit verify "
		 "get-selections",
	.options = OPTIONS{ { "lsLSpCVI", "list status listfiles search print-avail info contents field",
				    NOTHING, IGNORE, .set = 1 },
		{ "c", NULL, NOTHING, IGNORE, .set = 1 },
		{ "i", "install unpack", NOTHING, IGNORE, .set = 2 },
		{ "rP", "remove purge", NOTHING, IGNORE, .set = 4 },
		{ "x", "extract vextract control raw-extract", NOTHING, REFUSE, .text = "unpacks a package" },
		{ NULL, "add-architecture remove-architecture", NOTHING, EFFECT_FIXED, EFFECT_SYSTEM_CHANGE,
			.text = "architectures" },
		{ NULL, "configure", NOTHING, EFFECT_FIXED, EFFECT_INSTALL_REGISTRY, .text = "unpacked packages" },
		{ "a", "pending", NOTHING, IGNORE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_EXECUTE, .when = 2 }, { EACH, EFFECT_PACKAGE_REMOVE, .when = 4 },
		{ ALWAYS, EFFECT_STATUS, .unless = 6 }, { END } },
};
MODEL(dpkg_query) = { .name = "dpkg-query",
	.syntax = PARTIAL,
	.shorts = "lsLSWpf:",
	.longs = "list status listfiles search show showformat= no-pager",
	.rules = STATUS };
/* Without -q or -V an operand would be installed, or is a command of rpm's that is not modelled. */
static void rpm_command(struct run *run)
{
	if (!(run->bits & 2))
		run_open(run, "what rpm does is not known to the gate");
}

MODEL(rpm) = {
	.name = "rpm",
	.special = rpm_command,
	.syntax = PARTIAL,
	.shorts = "aivplcdfRs",
	.longs = "all info list queryformat= qf= file whatprovides requires last",
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } },
	.options = OPTIONS{ { "qVK", "query verify checksig", NOTHING, IGNORE, .set = 2 },
		{ "UFe", "install upgrade erase import pipe root", NOTHING, REFUSE,
			.text = "changes packages or runs code" },
		{ "E", "eval", REQUIRED, REFUSE, .text = "evaluates macros" }, { 0 } },
};

static const struct command_model dnf_history[] = {
	{ .name = "list|info|userinstalled", .syntax = PARTIAL, .rules = STATUS },
	{ 0 },
};
static const struct command_model dnf[] = {
	{ .name = "history", .syntax = POSIX_ORDER | SUBCOMMAND_ALONE_OK, .subcommands = dnf_history },
	{ .name = "install|upgrade|update|reinstall|groupinstall|builddep|makecache|check-update|distro-sync",
		.syntax = PARTIAL,
		.special = installs },
	{ .name = "remove|erase|autoremove", .syntax = PARTIAL, .special = removes },
	{ .name = "list|info|search|provides|whatprovides|repoquery|repolist|check|deplist|grouplist|"
		  "clean",
		.syntax = PARTIAL,
		.rules = STATUS },
	{ 0 },
};
#define DNF(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | PARTIAL | INHERITED, \
	.shorts = "yqvC4", .longs = "assumeyes quiet verbose best allowerasing nobest enablerepo= " \
	"disablerepo= exclude= refresh cacheonly setopt= releasever= skip-broken nodocs installed " \
	"available all installonly", .options = OPTIONS{ { NULL, "nogpgcheck", NOTHING, REFUSE, \
	.text = "installs what is not signed" }, \
	{ 0 } }, .subcommands = dnf }
DNF(dnf, "dnf");
DNF(yum, "yum");
DNF(microdnf, "microdnf");
static const struct command_model zypper[] = {
	{ .name = "install|in|update|up|refresh|ref|patch|dist-upgrade|dup",
		.syntax = PARTIAL,
		.special = installs },
	{ .name = "remove|rm", .syntax = PARTIAL, .special = removes },
	{ .name = "search|se|info|if|list-updates|lu|repos|lr|packages|pa",
		.syntax = PARTIAL,
		.rules = STATUS },
	{ 0 },
};
MODEL(zypper) = { .name = "zypper",
	.syntax = POSIX_ORDER | PARTIAL | INHERITED,
	.shorts = "nqvy",
	.longs = "non-interactive quiet no-recommends auto-agree-with-licenses no-confirm",
	.subcommands = zypper };
static const struct command_model apk[] = {
	{ .name = "add|update|upgrade|fix|fetch|cache", .syntax = PARTIAL, .special = installs },
	{ .name = "del", .syntax = PARTIAL, .special = removes },
	{ .name = "info|list|search|policy|stats|version|dot|audit", .syntax = PARTIAL, .rules = STATUS },
	{ 0 },
};
MODEL(apk) = {
	.name = "apk",
	.syntax = POSIX_ORDER | PARTIAL | INHERITED,
	.shorts = "qvUulat:eLsR",
	.longs = "no-cache quiet verbose update-cache virtual= no-progress upgrade latest available "
		 "installed",
	.subcommands = apk,
	.options = OPTIONS{ { "X", "repository", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_OUTSIDE },
		{ NULL, "allow-untrusted", NOTHING, REFUSE, .text = "installs what is not signed" },
		{ "p", "root", REQUIRED, REFUSE, .text = "acts on another system" }, { 0 } },
};
/* pacman's operation is an option. */
static void pacman_command(struct run *run)
{
	if (run->bits & 1)
		installs(run);
	else if (run->bits & 2)
		removes(run);
	else if (run->bits & 4)
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		run_open(run, "what pacman does is not known to the gate");
}

/* yay and paru build what anybody may put beside the distribution's own packages. */
static void aur_command(struct run *run)
{
	if (!(run->bits & 6))
		run_open(run, "%s builds packages that anybody may upload", run->model->name);
	pacman_command(run);
}

#define PACMAN(id, program, hook) MODEL(id) = { .name = program, .syntax = PARTIAL, .shorts = \
	"yuwclideqgkmntopvs", .longs = "noconfirm needed refresh sysupgrade quiet", .special = hook, .options = \
	OPTIONS{ { "S", "sync", NOTHING, IGNORE, .set = 1 }, { "R", "remove", NOTHING, IGNORE, .set = 2 }, \
	{ "QFT", "query files deptest", NOTHING, IGNORE, .set = 4 }, { 0 } } }
PACMAN(pacman, "pacman", pacman_command);
PACMAN(yay, "yay", aur_command);
static void brew_installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run,
			bytes_char(run->operands[i].text, '/') ? EFFECT_INSTALL_OUTSIDE
							       : EFFECT_INSTALL_REGISTRY,
			&run->operands[i]);
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_INSTALL_REGISTRY, "");
}

static const struct command_model brew[] = {
	{ .name = "install|upgrade|update|reinstall|fetch|outdated|cleanup",
		.syntax = PARTIAL,
		.special = brew_installs,
		.shorts = "qvfns",
		.longs = "cask formula quiet verbose force dry-run formulae casks overwrite prune=" },
	{ .name = "list|ls|info|search|doctor|config|deps|uses|leaves|desc|home|--prefix|--version|--cellar|-"
		  "-repository|commands",
		.syntax = PARTIAL,
		.shorts = "1v",
		.longs = "versions cask formula json?= installed tree",
		.rules = STATUS },
	{ .name = "uninstall|remove|rm", .syntax = PARTIAL, .special = removes },
	{ .name = "services",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_SERVICE_ENABLE, .text = "brew" }, { END } } },
	{ .name = "tap",
		.rules = RULES{ { EACH, EFFECT_INSTALL_OUTSIDE }, { ABSENT, EFFECT_STATUS }, { END } } },
	{ 0 },
};
static const struct command_model brew_model = {
	.name = "brew", .syntax = POSIX_ORDER | PARTIAL, .shorts = "qv", .subcommands = brew
};

static void brew_command(struct run *run)
{
	if (run->argc && run->argv[0].is_static &&
		in_list(run->argv[0].text, "--prefix --version --cellar --repository --cache --env --config"))
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		run_model(run, run->model->more);
}

MODEL(brew) = { .name = "brew", .reader = brew_command, .more = &brew_model };
static const struct command_model snap[] = {
	{ .name = "install|refresh",
		.syntax = PARTIAL,
		.longs = "channel= stable edge beta candidate",
		.special = installs,
		.options = OPTIONS{ { NULL, "classic devmode dangerous jailmode", NOTHING, REFUSE,
					    .text = "installs without confinement" },
			{ 0 } } },
	{ .name = "remove", .syntax = PARTIAL, .special = removes, .longs = "purge" },
	{ .name = "list|info|find|version|services|changes|connections",
		.syntax = PARTIAL,
		.longs = "all",
		.rules = STATUS },
	{ 0 },
};
MODEL(snap) = { .name = "snap", .syntax = POSIX_ORDER, .subcommands = snap };
static const struct command_model flatpak[] = {
	{ .name = "list|info|search|remotes|remote-ls|history",
		.syntax = PARTIAL,
		.longs = "app runtime columns= user system",
		.rules = STATUS },
	{ .name = "uninstall|remove", .syntax = PARTIAL, .special = removes },
	{ 0 },
};
MODEL(flatpak) = { .name = "flatpak", .syntax = POSIX_ORDER, .subcommands = flatpak };
