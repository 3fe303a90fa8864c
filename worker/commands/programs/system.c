/* SPDX-License-Identifier: Apache-2.0 */
/* What changes the machine itself: users, disks and mounts, firewall, network, kernel, power. */
#include "worker/commands/model.h"

#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }
#define ALWAYS_DOES(id, program, effect_id, target) MODEL(id) = { .name = program, .syntax = \
	NO_OPTIONS, .rules = RULES{ { ALWAYS, effect_id, .text = target }, { END } } }

ALWAYS_DOES(useradd, "useradd", EFFECT_USERS, "user");
ALWAYS_DOES(adduser, "adduser", EFFECT_USERS, "user");
ALWAYS_DOES(usermod, "usermod", EFFECT_USERS, "user");
ALWAYS_DOES(userdel, "userdel", EFFECT_USERS, "user");
ALWAYS_DOES(deluser, "deluser", EFFECT_USERS, "user");
ALWAYS_DOES(groupadd, "groupadd", EFFECT_USERS, "group");
ALWAYS_DOES(addgroup, "addgroup", EFFECT_USERS, "group");
ALWAYS_DOES(groupmod, "groupmod", EFFECT_USERS, "group");
ALWAYS_DOES(groupdel, "groupdel", EFFECT_USERS, "group");
ALWAYS_DOES(delgroup, "delgroup", EFFECT_USERS, "group");
ALWAYS_DOES(gpasswd, "gpasswd", EFFECT_USERS, "group");
ALWAYS_DOES(newusers, "newusers", EFFECT_USERS, "users");
ALWAYS_DOES(chpasswd, "chpasswd", EFFECT_ACCESS, "password");
ALWAYS_DOES(chsh, "chsh", EFFECT_ACCESS, "login shell");
ALWAYS_DOES(visudo, "visudo", EFFECT_ACCESS, "sudoers");
ALWAYS_DOES(vipw, "vipw", EFFECT_ACCESS, "passwd");
ALWAYS_DOES(setenforce, "setenforce", EFFECT_SERVICE_GUARD_OFF, "SELinux");
ALWAYS_DOES(aa_disable, "aa-disable", EFFECT_SERVICE_GUARD_OFF, "AppArmor");
ALWAYS_DOES(aa_teardown, "aa-teardown", EFFECT_SERVICE_GUARD_OFF, "AppArmor");
ALWAYS_DOES(aa_complain, "aa-complain", EFFECT_SERVICE_GUARD_OFF, "AppArmor");
ALWAYS_DOES(modprobe, "modprobe", EFFECT_KERNEL, "module");
ALWAYS_DOES(insmod, "insmod", EFFECT_KERNEL, "module");
ALWAYS_DOES(rmmod, "rmmod", EFFECT_KERNEL, "module");
ALWAYS_DOES(kexec, "kexec", EFFECT_KERNEL, "kernel");
ALWAYS_DOES(shutdown, "shutdown", EFFECT_POWER, NULL);
ALWAYS_DOES(reboot, "reboot", EFFECT_POWER, NULL);
ALWAYS_DOES(halt, "halt", EFFECT_POWER, NULL);
ALWAYS_DOES(poweroff, "poweroff", EFFECT_POWER, NULL);
ALWAYS_DOES(init_program, "init", EFFECT_POWER, NULL);
ALWAYS_DOES(telinit, "telinit", EFFECT_POWER, NULL);
ALWAYS_DOES(update_ca_certificates, "update-ca-certificates", EFFECT_SYSTEM_CHANGE, "certificates");
ALWAYS_DOES(locale_gen, "locale-gen", EFFECT_SYSTEM_CHANGE, "locales");
ALWAYS_DOES(depmod, "depmod", EFFECT_SYSTEM_CHANGE, "modules");
ALWAYS_DOES(setcap, "setcap", EFFECT_ACCESS, "capabilities of a program");
ALWAYS_DOES(a2enmod, "a2enmod", EFFECT_SYSTEM_CHANGE, "web server");
ALWAYS_DOES(swapoff, "swapoff", EFFECT_SYSTEM_CHANGE, "swap");

/* Programs that only show with some of their options, or change something with others. */
enum { SHOWS = 1, CHANGES = 2 };

#define SHOWS_OR_CHANGES(target) RULES{ { ALWAYS, EFFECT_STATUS, .when = SHOWS, .unless = CHANGES }, \
	{ ALWAYS, EFFECT_SYSTEM_CHANGE, .unless = SHOWS, .text = target }, \
	{ ALWAYS, EFFECT_SYSTEM_CHANGE, .when = SHOWS | CHANGES, .text = target }, { END } }
/* Without operands they list. */
#define LISTS_OR_CHANGES(target) RULES{ { ALWAYS, EFFECT_STATUS, .when = SHOWS, .unless = CHANGES }, \
	{ ABSENT, EFFECT_STATUS, .unless = SHOWS | CHANGES }, \
	{ FIRST, EFFECT_SYSTEM_CHANGE, .unless = SHOWS | CHANGES }, \
	{ ALWAYS, EFFECT_SYSTEM_CHANGE, .when = CHANGES, .text = target }, { END } }

MODEL(update_alternatives) = {
	.name = "update-alternatives",
	.syntax = PARTIAL,
	.longs = "verbose quiet",
	.options = OPTIONS{ { NULL, "display query list", REQUIRED, IGNORE, .set = SHOWS },
		{ NULL, "get-selections", NOTHING, IGNORE, .set = SHOWS },
		{ NULL, "install set config auto all remove remove-all slave set-selections force", NOTHING, IGNORE,
			.set = CHANGES },
		{ 0 } },
	.rules = SHOWS_OR_CHANGES("alternatives"),
};
MODEL(ldconfig) = {
	.name = "ldconfig",
	.syntax = PARTIAL,
	.shorts = "vNX",
	.longs = "verbose",
	.options = OPTIONS{ { "p", "print-cache", NOTHING, IGNORE, .set = SHOWS }, { 0 } },
	.rules = SHOWS_OR_CHANGES("library cache"),
};
MODEL(swapon) = {
	.name = "swapon",
	.syntax = PARTIAL,
	.shorts = "vfp:d::",
	.longs = "verbose noheadings raw bytes",
	.options = OPTIONS{ { "s", "summary", NOTHING, IGNORE, .set = SHOWS },
		{ NULL, "show", OPTIONAL, IGNORE, .set = SHOWS }, { "a", "all", NOTHING, IGNORE, .set = CHANGES },
		{ 0 } },
	.rules = LISTS_OR_CHANGES("swap"),
};
MODEL(losetup) = {
	.name = "losetup",
	.syntax = PARTIAL,
	.shorts = "nJO:v",
	.longs = "noheadings json raw output= verbose",
	.options = OPTIONS{ { "al", "all list", NOTHING, IGNORE, .set = SHOWS },
		{ "j", "associated", REQUIRED, IGNORE, .set = SHOWS },
		{ "dDfcPr", "detach detach-all find set-capacity partscan read-only show", NOTHING, IGNORE,
			.set = CHANGES },
		{ 0 } },
	.rules = LISTS_OR_CHANGES("loop device"),
};

static void passwd_command(struct run *run)
{
	run_effect_fixed(run, run->bits & 1 ? EFFECT_STATUS : EFFECT_ACCESS, "password");
}

MODEL(passwd) = {
	.name = "passwd",
	.syntax = PARTIAL,
	.shorts = "adeklqui:n:w:x:",
	.longs = "delete expire lock unlock quiet",
	.special = passwd_command,
	.options = OPTIONS{ { "S", "status", NOTHING, IGNORE, .set = 1 }, { 0 } },
};
MODEL(chage) = {
	.name = "chage",
	.syntax = PARTIAL,
	.special = passwd_command,
	.shorts = "d:E:iI:m:M:W:",
	.options = OPTIONS{ { "l", "list", NOTHING, IGNORE, .set = 1 }, { 0 } },
};
MODEL(getcap) = {
	.name = "getcap", .syntax = PARTIAL, .shorts = "rnv", .rules = RULES{ { EACH, EFFECT_LIST }, { END } }
};
MODEL(getenforce) = { .name = "getenforce", .rules = STATUS };
MODEL(sestatus) = { .name = "sestatus", .shorts = "vb", .rules = STATUS };
MODEL(aa_status) = {
	.name = "aa-status", .syntax = PARTIAL, .longs = "json pretty-json enabled", .rules = STATUS
};

/* What overwrites a device: the operands that are devices. */
/* A file system may be made in a file as well. */
static void overwrite(struct run *run, const struct arg *a)
{
	run_effect(run, bytes_start(a->text, "/dev/") || !a->is_static ? EFFECT_RAW_DEVICE : EFFECT_WRITE, a);
}

static void overwrites(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		overwrite(run, &run->operands[i]);
}

#define OVERWRITES(id, program, letters) MODEL(id) = { .name = program, .syntax = PARTIAL, .shorts = \
	letters, .special = overwrites }

OVERWRITES(mkfs, "mkfs", "t:V");
OVERWRITES(mkfs_ext2, "mkfs.ext2", "cDFjnqSvVL:T:U:b:e:E:g:G:i:I:J:m:M:N:o:O:r:");
OVERWRITES(mkfs_ext3, "mkfs.ext3", "cDFjnqSvVL:T:U:b:e:E:g:G:i:I:J:m:M:N:o:O:r:");
OVERWRITES(mkfs_ext4, "mkfs.ext4", "cDFjnqSvVL:T:U:b:e:E:g:G:i:I:J:m:M:N:o:O:r:");
OVERWRITES(mke2fs, "mke2fs", "cDFjnqSvVL:T:U:b:e:E:g:G:i:I:J:m:M:N:o:O:r:t:");
OVERWRITES(mkfs_xfs, "mkfs.xfs", "fKNqVb:c:d:i:l:L:m:n:p:r:s:");
OVERWRITES(mkfs_btrfs, "mkfs.btrfs", "fKqvA:d:l:L:m:M:n:O:r:R:s:U:");
OVERWRITES(mkfs_vfat, "mkfs.vfat", "acCIvA:b:D:f:F:g:h:i:l:m:M:n:r:R:s:S:");
OVERWRITES(mkfs_fat, "mkfs.fat", "acCIvA:b:D:f:F:g:h:i:l:m:M:n:r:R:s:S:");
OVERWRITES(mkfs_ntfs, "mkfs.ntfs", "fIQqvL:s:c:");
OVERWRITES(mkfs_exfat, "mkfs.exfat", "L:n:s:c:");
OVERWRITES(mkswap, "mkswap", "cfpvL:U:");
OVERWRITES(blkdiscard, "blkdiscard", "fszvo:l:p:");
OVERWRITES(pvcreate, "pvcreate", "fy");

#define DESTROYS(id, program) MODEL(id) = { .name = program, .syntax = PARTIAL, .shorts = "fy", .longs = \
	"force yes", .rules = RULES{ { EACH, EFFECT_VOLUME_DESTROY }, { END } } }
DESTROYS(vgremove, "vgremove");
DESTROYS(lvremove, "lvremove");

#define SHOWS_OR_OVERWRITES RULES{ { ALWAYS, EFFECT_STATUS, .when = SHOWS, .unless = CHANGES }, \
	{ EACH, EFFECT_RAW_DEVICE, .unless = SHOWS }, { EACH, EFFECT_RAW_DEVICE, .when = SHOWS | CHANGES }, \
	{ END } }

/* wipefs and badblocks only look unless an option says otherwise. */
#define LOOKS_OR_OVERWRITES RULES{ { ALWAYS, EFFECT_STATUS, .unless = CHANGES }, \
	{ EACH, EFFECT_RAW_DEVICE, .when = CHANGES }, { END } }

MODEL(wipefs) = {
	.name = "wipefs",
	.syntax = PARTIAL,
	.shorts = "fbiJnpqO:t:",
	.options = OPTIONS{ { "a", "all", NOTHING, IGNORE, .set = CHANGES },
		{ "o", "offset", REQUIRED, IGNORE, .set = CHANGES }, { 0 } },
	.rules = LOOKS_OR_OVERWRITES,
};
MODEL(badblocks) = {
	.name = "badblocks",
	.syntax = PARTIAL | NO_LONG,
	.shorts = "svfb:c:",
	.options = OPTIONS{ { "wn", NULL, NOTHING, IGNORE, .set = CHANGES },
		{ "o", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = LOOKS_OR_OVERWRITES,
};
MODEL(sgdisk) = {
	.name = "sgdisk",
	.syntax = PARTIAL,
	.options = OPTIONS{ { "pv", "print verify", NOTHING, IGNORE, .set = SHOWS },
		{ "i", "info", REQUIRED, IGNORE, .set = SHOWS },
		{ "zZog", "zap zap-all clear mbrtogpt", NOTHING, IGNORE, .set = CHANGES },
		{ "ntdc", "new typecode delete change-name", REQUIRED, IGNORE, .set = CHANGES }, { 0 } },
	.rules = SHOWS_OR_OVERWRITES,
};
MODEL(sfdisk) = {
	.name = "sfdisk",
	.syntax = PARTIAL,
	.shorts = "qfn",
	.options = OPTIONS{ { "ldJVF", "list dump json verify list-free", NOTHING, IGNORE, .set = SHOWS }, { 0 } },
	.rules = SHOWS_OR_OVERWRITES,
};
MODEL(mdadm) = {
	.name = "mdadm",
	.syntax = PARTIAL,
	.shorts = "vl:n:",
	.options = OPTIONS{ { "DEQ", "detail examine query", NOTHING, IGNORE, .set = SHOWS },
		{ "CASfr", "create assemble stop fail remove zero-superblock", NOTHING, IGNORE, .set = CHANGES },
		{ 0 } },
	.rules = SHOWS_OR_OVERWRITES,
};

/* parted DEVICE [COMMAND …]…: several commands may stand on its line. */
static void parted_command(struct run *run)
{
	bool shows = run->n_operands < 2 || arg_is(&run->operands[1], "print");

	if (shows && run->n_operands < 4)
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		overwrite(run, &run->operands[0]);
}

MODEL(parted) = { .name = "parted", .syntax = PARTIAL, .shorts = "lsma:", .special = parted_command };

static const struct command_model cryptsetup[] = {
	{ .name = "status|isLuks|luksDump|luksUUID", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "luksFormat|luksErase|erase|reencrypt",
		.syntax = PARTIAL,
		.rules = RULES{ { FIRST, EFFECT_RAW_DEVICE }, { END } } },
	{ .name = "open|luksOpen|close|luksClose",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_SYSTEM_CHANGE, .text = "encrypted disks" }, { END } } },
	{ 0 },
};
MODEL(cryptsetup) = {
	.name = "cryptsetup",
	.syntax = POSIX_ORDER | PARTIAL | INHERITED,
	.shorts = "qyvc:h:s:",
	.longs = "batch-mode verbose type=",
	.subcommands = cryptsetup,
};
static const struct command_model zpool[] = {
	{ .name = "status|list|get|iostat|history|version",
		.syntax = PARTIAL,
		.shorts = "vHpLo:",
		.rules = STATUS },
	{ .name = "destroy|labelclear",
		.syntax = PARTIAL,
		.shorts = "f",
		.rules = RULES{ { EACH, EFFECT_VOLUME_DESTROY }, { END } } },
	{ .name = "create|add|attach|replace",
		.syntax = PARTIAL,
		.shorts = "fno:",
		.rules = RULES{ { REST, EFFECT_RAW_DEVICE }, { END } } },
	{ 0 },
};
MODEL(zpool) = { .name = "zpool", .syntax = POSIX_ORDER, .subcommands = zpool };

/* fdisk -l only shows. */
MODEL(fdisk) = {
	.name = "fdisk",
	.syntax = PARTIAL,
	.shorts = "b:BC:H:S:o:u::xL::",
	.options = OPTIONS{ { "l", "list", NOTHING, IGNORE, .set = 1 },
		{ "s", NULL, NOTHING, IGNORE, .set = 1 }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_STATUS, .when = 1 }, { EACH, EFFECT_RAW_DEVICE, .unless = 1 },
		{ END } },
};
MODEL(blkid) = { .name = "blkid", .syntax = PARTIAL, .shorts = "ghiklpo:s:t:u:U:L:n:", .rules = STATUS };
MODEL(findmnt) = { .name = "findmnt",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "acDefhikJlmno:OPprRsSTt:uUvx",
	.longs = "json list noheadings output= target= source= types= df",
	.rules = STATUS };
MODEL(mountpoint) = { .name = "mountpoint",
	.shorts = "dqx",
	.longs = "quiet fs-devno devno nofollow",
	.rules = RULES{ { EACH, EFFECT_LIST }, { END } } };
MODEL(smartctl) = { .name = "smartctl",
	.syntax = PARTIAL,
	.shorts = "aHiAxl:d:j",
	.longs = "all health info attributes xall json?= scan",
	.rules = STATUS };

/* mount without operands lists. */
static void mount_command(struct run *run)
{
	if (run->n_operands == 0 && !(run->bits & 1))
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		run_effect_fixed(run, EFFECT_SYSTEM_CHANGE, "mounts");
	/* What lies at the mount point is out of the way, as if it had been moved. */
	if (run->n_operands > 0 && !(run->bits & 2))
		run_effect(run, EFFECT_MOVE, &run->operands[run->n_operands - 1]);
}

/* -o remount changes how a place is mounted, and covers nothing. */
static void mount_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (value->is_static && bytes_find(value->text, "remount"))
		run->bits |= 2;
}

static void umount_command(struct run *run)
{
	run_effect_fixed(run, EFFECT_SYSTEM_CHANGE, "mounts");
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, EFFECT_MOVE, &run->operands[i]);
}

MODEL(umount) = { .name = "umount", .syntax = PARTIAL, .shorts = "alfnrvdRt:O:", .special = umount_command };
MODEL(mount) = {
	.name = "mount",
	.syntax = PARTIAL,
	.shorts = "cflnrsvwt:O:L:U:T:N:",
	.special = mount_command,
	.option = mount_option,
	.options = OPTIONS{ { "aBMR", "all bind move rbind make-shared make-private make-rprivate", NOTHING,
				    IGNORE, .set = 1 },
		{ "o", "options", REQUIRED, CALL }, { 0 } },
};

/* iptables -L -S list; -F -X -P -D take protection away; the rest adds rules. */
static void firewall_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)value;
	run_effect_fixed(run, rule->effect, rule->text);
	run->bits |= 1;
}

static void iptables_command(struct run *run)
{
	if (!(run->bits & 1))
		run_effect_fixed(run, EFFECT_SYSTEM_CHANGE, "firewall rules");
}

#define IPTABLES(id, program) MODEL(id) = { .name = program, .syntax = PARTIAL, .shorts = \
	"vnxw::t:p:s:d:j:i:o:m:", .longs = "verbose numeric exact wait?= table= line-numbers", \
	.option = firewall_option, .special = iptables_command, .options = OPTIONS{ { "LS", "list " \
	"list-rules", OPTIONAL, CALL, EFFECT_STATUS }, \
	{ "FXZPD", "flush delete-chain zero policy delete", OPTIONAL, CALL, EFFECT_FIREWALL_OFF, .text = \
	"iptables" }, \
	{ 0 } } }
IPTABLES(iptables, "iptables");
IPTABLES(ip6tables, "ip6tables");
MODEL(iptables_save) = { .name = "iptables-save", .syntax = PARTIAL, .shorts = "ct:", .rules = STATUS };
ALWAYS_DOES(iptables_restore, "iptables-restore", EFFECT_FIREWALL_OFF, "iptables");

static const struct command_model ufw[] = {
	{ .name = "status|show|version", .rules = STATUS },
	{ .name = "disable|reset",
		.rules = RULES{ { ALWAYS, EFFECT_FIREWALL_OFF, .text = "ufw" }, { END } } },
	{ .name = "allow|deny|reject|limit|delete|insert|route|default|enable|reload|logging|app",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_SYSTEM_CHANGE, .text = "ufw" }, { END } } },
	{ 0 },
};
MODEL(ufw) = { .name = "ufw", .syntax = POSIX_ORDER, .longs = "force dry-run", .subcommands = ufw };
static const struct command_model nft[] = {
	{ .name = "list", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "flush|delete|reset|destroy",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_FIREWALL_OFF, .text = "nftables" }, { END } } },
	{ .name = "add|insert|create|replace",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_SYSTEM_CHANGE, .text = "nftables" }, { END } } },
	{ 0 },
};
MODEL(nft) = { .name = "nft",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "anjsc",
	.longs = "json handle numeric check",
	.subcommands = nft };
MODEL(firewall_cmd) = {
	.name = "firewall-cmd",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.rules = STATUS,
	.longs = "state list-all list-all-zones list-ports list-services get-zones get-active-zones "
		 "get-default-zone zone= permanent query-service= query-port= info-zone= info-service=",
};

/* ip OBJECT [COMMAND]: show, list and get read; anything else changes. */
static void ip_command(struct run *run)
{
	const struct arg *verb = run->n_operands > 1 ? &run->operands[1] : NULL;

	if (!run->n_operands)
		return;
	if (!run->operands[0].is_static ||
		!in_list(run->operands[0].text,
			"a addr address l link r ro route n neigh neighbour ru rule m maddr netns xfrm "
			"tunnel monitor -br stats vrf"))
		run_open(run, "this object of ip is not known to the gate");
	else if (arg_is(&run->operands[0], "netns") && verb && arg_is(verb, "exec"))
		run_open(run, "ip netns exec runs a command");
	else if (!verb ||
		(verb->is_static && in_list(verb->text, "s sh sho show l ls li lis list g get dev")))
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		run_effect_fixed(run, EFFECT_NETWORK_CONFIG, "ip");
}

MODEL(ip) = {
	.name = "ip",
	.syntax = ONE_DASH | PARTIAL,
	.longs = "4 6 0 B M o oneline s stats statistics d details h human json j p pretty br brief c color "
		 "color=always r resolve iec ts N Numeric a all rc loops= l=",
	.special = ip_command,
	.options = OPTIONS{ { NULL, "b batch", REQUIRED, REFUSE,
				    .text = "-batch takes its commands from a file" },
		{ NULL, "n netns", REQUIRED, REFUSE, .text = "acts in another network" }, { 0 } },
};
MODEL(ifconfig) = {
	.name = "ifconfig",
	.syntax = PARTIAL | NO_LONG,
	.shorts = "asv",
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { SECOND, EFFECT_NETWORK_CONFIG }, { END } },
};
MODEL(route) = { .name = "route",
	.syntax = PARTIAL,
	.shorts = "nevFC46",
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { FIRST, EFFECT_NETWORK_CONFIG }, { END } } };
MODEL(arp) = { .name = "arp",
	.syntax = PARTIAL,
	.shorts = "anvei:H:",
	.options = OPTIONS{ { "dsf", NULL, NOTHING, EFFECT_FIXED, EFFECT_NETWORK_CONFIG, .text = "arp" },
		{ 0 } },
	.rules = STATUS };

/* sysctl NAME reads, NAME=VALUE writes. */
static void sysctl_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static || bytes_char(run->operands[i].text, '=') || (run->bits & 1))
			run_effect(run, EFFECT_KERNEL, &run->operands[i]);
	run_effect_fixed(run, EFFECT_STATUS, NULL);
}

MODEL(sysctl) = {
	.name = "sysctl",
	.syntax = PARTIAL,
	.shorts = "abNneqxr:",
	.longs = "all names values ignore quiet pattern=",
	.special = sysctl_command,
	.options = OPTIONS{ { "w", "write", NOTHING, IGNORE, .set = 1 },
		{ "pf", "load system", OPTIONAL, EFFECT_FIXED, EFFECT_KERNEL, .text = "sysctl.conf" },
		{ 0 } },
};

MODEL(auditctl) = {
	.name = "auditctl",
	.syntax = PARTIAL | NO_LONG,
	.shorts = "lsvi",
	.rules = STATUS,
	.options = OPTIONS{ { "DdeRrbfWawkpSFACm", NULL, OPTIONAL, EFFECT_FIXED, EFFECT_AUDIT_OFF,
				    .text = "audit rules" },
		{ 0 } },
};
MODEL(tcpdump) = {
	.name = "tcpdump",
	.syntax = PARTIAL,
	.shorts = "AbdDefhHIJKlLnNOpqStuUvxXB:c:C:E:F:G:i:M:r:s:T:V:W:y:Q:",
	.refuse = "records what passes over the network",
	.options = OPTIONS{ { "w", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "zZ", NULL, REQUIRED, REFUSE, .text = "-z runs a program" }, { 0 } },
};
ALWAYS_DOES(pam_auth_update, "pam-auth-update", EFFECT_ACCESS, "PAM");
ALWAYS_DOES(authconfig, "authconfig", EFFECT_ACCESS, "PAM");
