# SPDX-License-Identifier: Apache-2.0
# What the two scripts beside this file share. Sourced with $root set to the top of the tree.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154  # names that cross the border between this file and theirs

# Debian 12 and 13 name all of these alike.
build_packages="gcc libc6-dev meson ninja-build pkg-config python3
	libcap-dev libcmocka-dev libcurl4-openssl-dev libgit2-dev libjson-c-dev libmd-dev libpcre2-dev libseccomp-dev
	libssl-dev"
# Without these a test is skipped and says so, or a compiler is not tried.
test_packages="bash binutils clang dash fish fuse3 git libclang-rt-dev libfuse3-dev shellcheck zsh"

say() {
	printf '%s\n' "$*"
}

missing_packages() {
	for package in "$@"; do
		case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) in
		ii*) ;;
		*) printf '%s ' "$package" ;;
		esac
	done
}

# Installs what of its arguments is missing, as root or through sudo; says what to do where it is neither.
install_packages() {
	if ! command -v dpkg-query >/dev/null; then
		say "This is no Debian system; needed here under its names: $*"
		return 0
	fi
	missing=$(missing_packages "$@")
	if [ -z "$missing" ]; then
		return 0
	fi
	if [ "$(id -u)" -eq 0 ]; then
		as_root=
	elif command -v sudo >/dev/null; then
		as_root=sudo
	else
		say "As root: apt-get install --no-install-recommends $missing"
		return 1
	fi
	say "Installing: $missing"
	log=$(mktemp)
	# shellcheck disable=SC2086
	if $as_root apt-get update -q >"$log" 2>&1 && $as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -q -y --no-install-recommends $missing >>"$log" 2>&1 </dev/null; then
		rm -f "$log"
	else
		cat "$log" >&2
		rm -f "$log"
		return 1
	fi
}

# configure DIRECTORY OPTIONS...: makes a build directory, or gives an existing one these options.
configure() {
	directory=$1
	shift
	if [ -f "$root/$directory/build.ninja" ]; then
		meson configure "$root/$directory" "$@"
	else
		meson setup "$root/$directory" "$root" "$@" >"$root/$directory.log" 2>&1 || {
			cat "$root/$directory.log" >&2
			return 1
		}
		mv "$root/$directory.log" "$root/$directory/setup.log"
	fi
}
