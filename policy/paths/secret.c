/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secret-looking paths: files whose content is, or is likely to hold, a credential. By name only, so it errs on the
 * side of calling a file secret; documentation and source code whose name merely speaks of secrets are left out.
 */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"
#include "policy/text/fold.h"

/* A directory or file whose own name is enough, wherever it lies; what is below it counts too. */
static const char *const secret_components[] = {
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".netrc", "_netrc", ".pgpass",
	".my.cnf",
	".npmrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".claude.json", ".vault-token", ".s3cfg", ".boto",
	".gcloud",
	".terraform.d", ".terraformrc", ".htpasswd", ".envrc", ".databrickscfg", ".snowsql", ".oci", ".bash_history",
	".zsh_history", ".sh_history", ".psql_history", ".mysql_history", ".python_history", ".node_repl_history",
	".smbcredentials", ".msmtprc", ".muttrc", ".offlineimaprc", ".mbsyncrc", ".getmailrc", ".fetchmailrc",
	".rediscli_history", ".sqlite_history", ".keychain", ".electrum", ".bitcoin", ".ethereum", ".rclone.conf",
};

static const struct path_rule secret_rules[] = {
	{ "/etc/shadow*", "" }, { "/etc/gshadow*", "" }, { "/etc/sudoers", "" }, { "/etc/sudoers.d/**", "" },
	{ "/etc/ssh/ssh_host_*_key", "" }, { "/etc/security/opasswd", "" }, { "/etc/master.passwd", "" },
	{ "/etc/krb5.keytab", "" }, { "/etc/ssl/private/**", "" }, { "/etc/wireguard/**", "" }, { "/etc/ppp/*-secrets",
	"" },
	{ "/etc/networkmanager/system-connections/**", "" }, { "/etc/wpa_supplicant/**", "" },
	{ "/etc/kubernetes/*.conf", "" }, { "/etc/kubernetes/pki/**", "" }, { "/etc/rancher/k3s/k3s.yaml", "" },
	{ "/var/lib/shadow*", "" }, { "/var/backups/*shadow*", "" }, { "/var/lib/sss/secrets/**", "" },
	{ "/run/secrets/**", "" }, { "/var/run/secrets/**", "" }, { "/run/credentials/**", "" },
	{ "/proc/*/environ", "" }, { "/proc/*/cmdline", "" }, { "/proc/*/mem", "" }, { "/proc/*/auxv", "" },
	{ "/proc/*/task/*/environ", "" }, { "/proc/*/task/*/cmdline", "" }, { "/proc/*/task/*/mem", "" },
	{ "/proc/*/fd/**", "" }, { "/proc/*/map_files/**", "" }, { "/proc/kcore", "" }, { "/dev/mem", "" },
	{ "/dev/kmem", "" }, { "/dev/port", "" }, { "/dev/sd*", "" }, { "/dev/hd*", "" }, { "/dev/vd*", "" },
	{ "/dev/xvd*", "" }, { "/dev/nvme*n*", "" }, { "/dev/mmcblk*", "" }, { "/dev/dm-*", "" }, { "/dev/mapper/*",
	"" },
	{ "/dev/disk/**", "" }, { "/dev/md*", "" }, { "/dev/mqueue/**", "" },
	{ ".config/gcloud/**", "" }, { ".config/op/**", "" }, { ".config/sops/age/**", "" }, { ".config/hub", "" },
	{ ".config/rclone/rclone.conf", "" }, { ".config/github-copilot/*.json", "" }, { ".config/doctl/**", "" },
	{ ".config/google-chrome/**", "" }, { ".config/chromium/**", "" }, { ".mozilla/**", "" },
	{ ".config/bravesoftware/**", "" }, { ".config/keybase/**", "" }, { ".local/share/keyrings/**", "" },
	{ ".local/share/kwalletd/**", "" }, { ".cargo/credentials*", "" }, { ".gem/credentials", "" },
	{ ".m2/settings-security.xml", "" }, { ".m2/settings.xml", "" }, { ".gradle/gradle.properties", "" },
	{ ".claude/.credentials.json", "" }, { ".codex/auth.json", "" }, { ".gemini/oauth_creds.json", "" },
	{ ".local/share/opencode/auth.json", "" }, { ".pi/agent/auth.json", "" }, { ".copilot/mcp-oauth-config/**",
	"" },
	{ ".openclaw/credentials/**", "" }, { ".fly/config.yml", "" }, { ".netlify/config.json", "" },
	{ ".local/share/fish/fish_history", "" }, { "library/keychains/**", "" }, { "keychains/*.keychain*", "" },
	{ ".git/credentials", "" }, { ".kaggle/kaggle.json", "" }, { ".config/ngrok/**", "" },
	{ ".config/solana/**", "" }, { ".composer/auth.json", "" }, { ".config/composer/auth.json", "" },
	{ ".supabase/access-token", "" }, { ".local/share/com.vercel.cli/**", "" }, { ".vercel/auth.json", "" },
	{ ".config/configstore/**", "" }, { ".snowflake/**", "" }, { ".dbt/profiles.yml", "" }, { ".vnc/passwd", "" },
	{ ".age/**", "" }, { ".purple/accounts.xml", "" }, { ".config/filezilla/**", "" }, { ".config/remmina/**", "" },
	{ ".local/share/remmina/**", "" }, { ".subversion/auth/**", "" }, { ".config/.wrangler/**", "" },
	{ ".wrangler/config/**", "" }, { ".nuget/nuget/nuget.config", "" }, { "/etc/mysql/debian.cnf", "" },
	{ ".config/hcloud/**", "" }, { ".config/helm/registry/**", "" }, { ".config/containers/auth.json", "" },
	{ "containers/auth.json", "" }, { ".config/heroku/**", "" }, { ".config/pulumi/**", "" },
	{ ".pulumi/credentials.json", "" }, { ".sentryclirc", "" }, { ".config/stripe/**", "" },
	{ ".config/glab-cli/**", "" }, { ".config/tea/**", "" }, { ".config/exercism/user.json", "" },
};

/* Below `.config/<program>/`: files that by convention hold the program's login. */
static const char *const login_names[] = { "config", "auth", "hosts", "credentials" };
static const char *const login_suffixes[] = { ".toml", ".json", ".jsonc", ".yml", ".yaml" };

static const char *const secret_suffixes[] = {
	".env", ".pem", ".key", ".p12", ".pfx", ".keystore", ".jks", ".creds", ".ppk", ".kdbx", ".keytab", ".ovpn",
	".agekey",
	".jwk", ".kubeconfig", ".tfvars", ".tfstate", ".pkcs8", ".pk8",
};

static const char *const key_names[] = { "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "id_ecdsa_sk", "id_ed25519_sk" };

/* Whole names that are secrets by themselves. */
static const char *const secret_names[] = {
	"credentials", "credential", "secret", "secrets", "token", "tokens", "password", "passwords", "passwd.bak",
	"shadow",
	"gshadow", "sudoers", "kubeconfig", "wallet.dat", "key4.db", "logins.json", "login data", "cookies.sqlite",
	"master.key", "apikey", "api_key", "api-key", "api.key", ".token", ".secret", ".secrets", ".credentials",
	".password",
	".dev.vars", "local.settings.json", "wp-config.php", "firebase-adminsdk.json", ".pgpass.conf",
	".api_key", ".apikey", ".vault_pass", ".vault_password", "htpasswd", "authinfo.gpg", ".authinfo",
};

static const char *const secret_words[] = {
	"secret", "secrets", "credential", "credentials", "token", "tokens", "passwd", "password", "passwords",
	"serviceaccount",
	"service-account", "service_account", "privatekey", "private_key", "private-key", "apikey", "api_key",
	"api-key",
};

static const char *const data_suffixes[] = {
	"json", "jsonc", "yml", "yaml", "toml", "env", "txt", "ini", "cfg", "conf", "properties", "csv", "xml", "db",
	"sqlite",
};

/* `.env.example` and its like are committed on purpose and hold no value. */
static const char *const sample_words[] = { "example", "sample", "template", "dist", "defaults", "schema",
	"test-example" };

/* A copy of a secret is a secret: these are taken off before a name is looked at. */
static const char *const copy_suffixes[] = { ".bak", ".old", ".orig", ".backup", ".save", ".swp", ".copy",
	".tmp", "~" };

static bool is_letter(char c)
{
	return fold_lower(c) >= 'a' && fold_lower(c) <= 'z';
}

static bool ends_with(struct bytes name, const char *suffix)
{
	size_t n = strlen(suffix);

	return name.len >= n && fold_lower(name.p[name.len - 1]) == suffix[n - 1] &&
		path_name_eq((struct bytes){ name.p + name.len - n, n }, suffix);
}

static bool in_list(struct bytes name, const char *const *list, size_t n)
{
	char first = name.len > 0 ? fold_lower(name.p[0]) : '\0';

	for (size_t i = 0; i < n; i++)
		if (list[i][0] == first && path_name_eq(name, list[i]))
			return true;
	return false;
}

static struct bytes without_copy_suffix(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(copy_suffixes); i++)
		if (ends_with(name, copy_suffixes[i]) && name.len > strlen(copy_suffixes[i]))
			return (struct bytes){ name.p, name.len - strlen(copy_suffixes[i]) };
	return name;
}

/* What follows the last dot, or an empty string. A leading dot starts no extension. */
static struct bytes extension(struct bytes name)
{
	for (size_t i = name.len; i > 1; i--)
		if (name.p[i - 1] == '.')
			return (struct bytes){ name.p + i, name.len - i };
	return (struct bytes){ NULL, 0 };
}

/* The word stands in the name and is not the beginning of another word (`tokenizer` speaks of no token). */
static bool holds_word(struct bytes name, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= name.len; i++) {
		struct bytes rest = { name.p + i, n };

		if (fold_lower(name.p[i]) != word[0] || !path_name_eq(rest, word))
			continue;
		if (i + n == name.len || !is_letter(name.p[i + n]))
			return true;
		/* camelCase: a capital after a small letter begins the next word. */
		if (name.p[i + n] < 'a' && name.p[i + n - 1] >= 'a')
			return true;
	}
	return false;
}

static bool is_sample(struct bytes name)
{
	struct bytes ext = extension(name);

	return in_list(ext, sample_words, ARRAY_LEN(sample_words)) || path_name_eq(name, "example.env") ||
		path_name_eq(name, "sample.env") || path_name_eq(name, "template.env");
}

static bool is_environment_file(struct bytes name)
{
	return ends_with(name, ".env") || (name.len > 5 && path_name_eq((struct bytes){ name.p, 5 }, ".env."));
}

static bool is_key_file(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(key_names); i++) {
		size_t n = strlen(key_names[i]);

		if (name.len >= n && path_name_eq((struct bytes){ name.p, n }, key_names[i]) &&
			(name.len == n || !is_letter(name.p[n])))
			return true;
	}
	return false;
}

static bool name_is_secret(struct bytes name)
{
	struct bytes ext;

	if (is_sample(name))
		return false;
	name = without_copy_suffix(name);
	if (is_environment_file(name) || is_key_file(name) || in_list(name, secret_names, ARRAY_LEN(secret_names)))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(secret_suffixes); i++)
		if (ends_with(name, secret_suffixes[i]))
			return true;
	ext = extension(name);
	if (ext.len > 0 && !in_list(ext, data_suffixes, ARRAY_LEN(data_suffixes)))
		return false;
	if (holds_word(name, "-tokens") || holds_word(name, "-keys"))
		return true;
	for (size_t i = 0; ext.len > 0 && i < ARRAY_LEN(secret_words); i++)
		if (holds_word(name, secret_words[i]))
			return true;
	return false;
}

static bool is_login_file(const struct components *path)
{
	struct bytes name;

	if (path->n < 3 || !path_name_eq(path->c[path->n - 3], ".config"))
		return false;
	/* The gate's own configuration may be read: an agent that can see why it was denied need not guess. */
	if (path_name_eq(path->c[path->n - 2], "auto-classifier"))
		return false;
	name = path->c[path->n - 1];
	for (size_t i = 0; i < ARRAY_LEN(login_suffixes); i++) {
		size_t n = strlen(login_suffixes[i]);

		if (ends_with(name, login_suffixes[i]) &&
			in_list((struct bytes){ name.p, name.len - n }, login_names, ARRAY_LEN(login_names)))
			return true;
	}
	return false;
}

/* /proc/PID/root and /proc/PID/cwd are doors to any other path: what lies behind them is looked at by itself. */
static bool behind_proc(const struct components *path, struct components *ret)
{
	if (!path->absolute || path->n < 4 || !path_name_eq(path->c[0], "proc"))
		return false;
	for (uint32_t i = 2; i < path->n - 1; i++) {
		if (!path_name_eq(path->c[i], "root") && !path_name_eq(path->c[i], "cwd"))
			continue;
		ret->n = path->n - i - 1;
		ret->absolute = path_name_eq(path->c[i], "root");
		ret->too_long = false;
		memcpy(ret->c, path->c + i + 1, ret->n * sizeof(ret->c[0]));
		return true;
	}
	return false;
}

static bool components_are_secret(const struct components *path)
{
	/* All of them begin with one of two characters, and few names do. */
	for (uint32_t i = 0; i < path->n; i++)
		if ((path->c[i].p[0] == '.' || path->c[i].p[0] == '_') &&
			in_list(path->c[i], secret_components, ARRAY_LEN(secret_components)))
			return true;
	if (path_find(path, (struct bytes){ NULL, 0 }, secret_rules, ARRAY_LEN(secret_rules)) != NULL)
		return true;
	return path->n > 0 && (name_is_secret(path->c[path->n - 1]) || is_login_file(path));
}

bool path_is_secret(struct bytes path)
{
	struct components split, behind;

	path_split(path, &split);
	if (split.too_long)
		return true;
	while (behind_proc(&split, &behind))
		split = behind;
	return components_are_secret(&split);
}

/* Names a secret goes by: enough of each kind of the tables above to tell whether a pattern can reach one. */
static const char *const representatives[] = {
	".env", ".env.local", ".env.production", "prod.env", "local.env", ".ssh", ".aws", ".gnupg", ".kube", ".docker",
	".netrc",
	".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".bash_history", ".envrc", "id_rsa", "id_ed25519",
	"id_ecdsa",
	"id_dsa", "id_rsa.pub", "server.key", "cert.pem", "private.pem", "tls.key", "key.pem", "store.p12", "app.pfx",
	"credentials", "credentials.json", "credentials.yml", "secrets", "secret", "secrets.json", "secrets.yml",
	"secrets.yaml",
	"secrets.toml", "secret.txt", "secrets.env", "token", "token.txt", "token.json", "tokens.json", "password",
	"passwords.txt", "passwd.txt", "shadow", "shadow-", "gshadow", "sudoers", "environ", "cmdline", "api.creds",
	"app.keystore", "app.jks", "kubeconfig", "master.key", ".htpasswd", ".claude.json", "auth.json", "hosts.yml",
	"terraform.tfstate", ".dev.vars",
};

bool path_holds_secret(struct bytes path)
{
	struct components split, home;

	path_split(path, &split);
	path_split((struct bytes){ NULL, 0 }, &home);
	if (split.too_long || (split.absolute && split.n == 0))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(secret_rules); i++)
		/* Of the others the first component is a name that many directories have. */
		if ((secret_rules[i].pattern[0] == '/' || secret_rules[i].pattern[0] == '.') &&
			path_leads_to(&split, &home, secret_rules[i].pattern))
			return true;
	return false;
}

bool path_glob_reaches_secret(struct bytes pattern)
{
	struct components split;

	if (path_is_secret(pattern))
		return true;
	path_split(pattern, &split);
	for (uint32_t k = 0; k < split.n; k++) {
		struct bytes c = split.c[k];

		if (memchr(c.p, '*', c.len) == NULL && memchr(c.p, '?', c.len) == NULL &&
			memchr(c.p, '[', c.len) == NULL)
			continue;
		for (size_t i = 0; i < ARRAY_LEN(representatives); i++)
			if (path_glob_reaches(c, representatives[i]))
				return true;
	}
	return false;
}
