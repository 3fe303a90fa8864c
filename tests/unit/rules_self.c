/* SPDX-License-Identifier: Apache-2.0 */
/* Self-protection and the configured rules, however the command is spelt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/rules_world.h"

static const struct row self_rows[] = {
	/* its files, however they are spelt and whoever writes them */
	{ SELF, "rm -rf ~/.config/auto-classifier" },
	{ SELF, "rm -r ~/.config/auto-classifier/" },
	{ SELF, "rm -rf \"$HOME\"/.config/auto-classifier" },
	{ SELF, "rm -rf ${HOME}/.config/auto-classifier" },
	{ SELF, "rm -rf /home/ada/.config/./auto-classifier" },
	{ SELF, "rm -rf /home/ada/app/../.config//auto-classifier" },
	{ SELF, "rm -rf /home/ada/.CONFIG/AUTO-classifier" },
	{ SELF, "rm -rf ~/.co\"nfi\"g/auto-classifier" },
	{ SELF, "rm -rf ~/$'.config'/auto-classifier" },
	{ SELF, "r\\m -rf ~/.config/auto-classifier" },
	{ SELF, "sudo rm -rf ~/.config/auto-classifier" },
	{ SELF, "env -i nice timeout 5 rm -rf ~/.config/auto-classifier" },
	{ SELF, "bash -c 'rm -rf ~/.config/auto-classifier'" },
	{ SELF, "cd ~ && rm -rf .config/auto-classifier" },
	{ SELF, "cd ~; rm -rf .config/auto-classifier" },
	{ SELF, "cd ~/.config\nrm -rf auto-classifier" },
	{ SELF, "(cd ~/.config; rm -rf auto-classifier)" },
	{ SELF, "d=~/.config/auto-classifier; rm -rf \"$d\"" },
	{ SELF, "rm -rf ~/.config" },
	{ DENY, "rm -rf ~" },
	{ SELF, "mv ~/.config ~/old" },
	{ SELF, "mv ~/.config/auto-classifier/config.jsonc /tmp/x" },
	{ SELF, "cp /tmp/x ~/.config/auto-classifier/config.jsonc" },
	{ SELF, "cp -t ~/.config/auto-classifier /tmp/config.jsonc" },
	{ SELF, "echo '{}' > ~/.config/auto-classifier/config.jsonc" },
	{ SELF, "echo '{}' >> ~/.claude/settings.json" },
	{ SELF, "echo '{}' >| .claude/settings.json" },
	{ SELF, "echo '{}' &> .claude/settings.local.json" },
	{ SELF, ": > ~/.claude/settings.json" },
	{ SELF, "> ~/.claude/settings.json" },
	{ SELF, "{ echo x; } > ~/.claude/settings.json" },
	{ SELF, "for f in a; do echo $f; done > .claude/settings.json" },
	{ SELF, "echo x | tee ~/.claude/settings.json" },
	{ SELF, "echo x | sudo tee -a /etc/claude-code/managed-settings.json" },
	{ SELF, "cat <<E > .agents/hooks.json\n{}\nE" },
	{ SELF, "sed -i s/a/b/ ~/.gemini/config/hooks.json" },
	{ SELF, "touch ~/.codex/hooks.json" },
	{ SELF, "truncate -s 0 ~/.codex/config.toml" },
	{ SELF, "chmod 000 ~/.cursor/hooks.json" },
	{ SELF, "ln -sf /dev/null ~/.config/opencode/plugins/gate.js" },
	{ SELF, "dd if=/dev/zero of=/home/ada/.claude/settings.json" },
	{ SELF, "cp x .github/hooks/gate.json" },
	{ SELF, "rm /opt/gate/bin/anything" },
	{ SELF, "cp x settings-link" },
	{ SELF, "echo x > settings-link" },
	{ SELF, "if true; then rm ~/.claude/settings.json; fi" },
	{ SELF, "true || rm ~/.claude/settings.json" },
	{ SELF, "echo $(rm ~/.claude/settings.json)" },
	{ SELF, "f() { rm ~/.claude/settings.json; }; f" },
	{ SELF, "cat <(rm ~/.claude/settings.json)" },
	{ SELF, "find ~/.config/auto-classifier -delete" },
	{ SELF, "rm -rf ~/.claude/*" },
	/* its variables */
	{ SELF, "AUTO_CLASSIFIER_CONFIG=/tmp/x ls" },
	{ SELF, "AUTO_CLASSIFIER_CONFIG=/tmp/x" },
	{ SELF, "export AUTO_CLASSIFIER_CONFIG=/tmp/x" },
	{ SELF, "declare -x AUTO_CLASSIFIER_PROVIDER=chat" },
	{ SELF, "env AUTO_CLASSIFIER_LOG= ls" },
	{ SELF, "sudo TYPESAFE_BASE_URL=http://x ls" },
	{ SELF, "typesafe_api_key=x ls" },
	{ SELF, "unset AUTO_CLASSIFIER_CONFIG" },
	{ SELF, "read AUTO_CLASSIFIER_CONFIG < x" },
	{ SELF, "printf -v AUTO_CLASSIFIER_CONFIG %s /tmp/x" },
	/* its processes and the harness */
	{ SELF, "pkill auto-classifier" },
	{ SELF, "pkill -f auto-classifier-worker" },
	{ SELF, "killall claude" },
	{ SELF, "kill -9 $PPID" },
	{ SELF, "gdb -p $PPID" },
	{ SELF, "gdb --batch -ex 'call exit(0)' --pid=$PPID" },
	{ SELF, "strace -fp $PPID" },
	{ SELF, "sudo strace -p \"$PPID\"" },
	{ SELF, "perf record -p $PPID" },
	{ SELF, "gcore $(pgrep claude)" },
	{ SELF, "renice 19 $PPID" },
	{ OPEN, "gdb -p 4321" },
	{ OPEN, "strace -p $(pgrep nginx)" },
	{ OPEN, "gdb --batch -ex run build/app" },
	{ SELF, "kill \"$PPID\"" },
	{ SELF, "kill $(pgrep claude)" },
	{ SELF, "kill $(/usr/bin/pgrep claude)" },
	{ SELF, "sudo nice pgrep -f auto-classifier | xargs kill" },
	{ SELF, "tmux kill-pane -t $TMUX_PANE" },
	{ SELF, "tmux respawn-pane -k -t \"$TMUX_PANE\" make" },
	{ ALLOW, "tmux kill-session -t server" },
	{ SELF, "kill 4242" },
	{ SELF, "kill -9 -- -4240" },
	{ SELF, "sudo kill -TERM 17 4242" },
	{ SELF, "strace -p 4242" },
	{ SELF, "killall node" },
	{ SELF, "pkill 'vite|node$'" },
	{ SELF, "pkill -f 'agent/cli[.]js'" },
	{ ALLOW, "pkill agent/cli" },
	{ ALLOW, "kill 4243; kill -- -4242" },
	{ ALLOW, "pkill -f 'vite --port 3000'" },
	{ OPEN, "kill 999" },
	{ SELF, "pkill cla" },
	{ SELF, "pkill -f 'aut[o]-class'" },
	{ SELF, "pkill -i CLAUDE" },
	{ SELF, "pkill 'vite|cl.*de'" },
	{ SELF, "pgrep -f auto-class | xargs -r kill -9" },
	{ SELF, "ps aux | grep classif | awk '{print $2}' | xargs kill" },
	{ SELF, "pgrep -f auto-classifier | xargs kill" },
	{ SELF, "systemctl --user stop auto-classifier.service" },
	{ SELF, "sudo systemctl mask auto-classifier-netproc.socket" },
	/* agents that would not ask it */
	{ SELF, "claude --dangerously-skip-permissions -p 'do it'" },
	{ SELF, "claude -p x --settings '{}'" },
	{ SELF, "codex exec --dangerously-bypass-approvals-and-sandbox x" },
	{ SELF, "gemini --yolo -p x" },
	{ SELF, "gemini --approval-mode=yolo" },
	{ SELF, "CLAUDE_CONFIG_DIR=/tmp/c claude -p x" },
	{ SELF, "HOME=/tmp codex exec x" },
	{ SELF, "env HOME=/tmp claude -p x" },
	{ SELF, "npx -y @anthropic-ai/claude-code --dangerously-skip-permissions" },
	{ SELF, "claude plugin disable gate" },
	{ SELF, "copilot --allow-all-tools -p x" },
	/* its own commands */
	{ SELF, "auto-classifier approve 1" },
	{ SELF, "auto-classifier uninstall claude" },
	{ SELF, "/usr/bin/auto-classifier install" },
	{ SELF, "echo '{}' | auto-classifier hook claude" },
	{ SELF, "/usr/libexec/auto-classifier-worker" },
	/* typing for the user */
	{ SELF, "tmux send-keys Enter" },
	{ SELF, "tmux send-keys -t $TMUX_PANE y Enter" },
};

static const struct row read_own_rows[] = {
	{ ALLOW, "cat ~/.config/auto-classifier/config.jsonc" },
	{ ALLOW, "ls -la ~/.config/auto-classifier" },
	{ ALLOW, "head -3 ~/.config/opencode/plugins/gate.js" },
	{ ALLOW, "grep -n hooks ~/.claude/settings.json" },
	{ ALLOW, "ls ~/.claude" },
	{ OPEN, "claude -p 'summarise this'" },
	{ OPEN, "auto-classifier doctor" },
};

static void test_self_protection(void **state)
{
	(void)state;
	WALK(self_rows, SHELL_FRESH);
	WALK(read_own_rows, SHELL_FRESH);
}

static const struct row rule_rows[] = {
	{ RULE, "shutdown now" },
	{ RULE, "SHUTDOWN now" },
	{ RULE, "sudo shutdown -h now" },
	{ RULE, "/sbin/shutdown now" },
	{ RULE, "sudo /usr/sbin/shutdown -h now" },
	{ RULE, "sh -c 'shutdown now'" },
	{ RULE, "true && shut''down now" },
	{ RULE, "echo reboot   --force; reboot --force" },
	{ ALLOW, "echo shut down" },
	{ ALLOW, "forge pr list --all" },
	{ ALLOW, "FORGE PR view 3" },
	{ ALLOW, "sudo forge pr list" },
	{ ALLOW, "deploy --dry-run" },
	{ OPEN, "deploy --dry-run --now" },
	{ OPEN, "forge pr listing" },
	{ OPEN, "forge pr list 'a b'" },
	{ OPEN, "forge pr list \"$x\"" },
	{ OPEN, "forge pr list $(id)" },
	{ OPEN, "x forge pr list" },
	{ OPEN, "forge pr list > ~/.bashrc" },
	{ OPEN, "LD_PRELOAD=x forge pr list" },
	{ OPEN, "forge(){ rm ../x; }; forge pr list" },
	{ OPEN, "wc --no-such-option x" },
	{ ALLOW, "cp notes.txt /srv/data/notes.txt" },
	{ OPEN, "cp notes.txt /srv/data/other.txt" },
};

static void test_rules(void **state)
{
	(void)state;
	WALK(rule_rows, SHELL_FRESH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_self_protection),
		cmocka_unit_test(test_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
