/* SPDX-License-Identifier: Apache-2.0 */
/* What a path's spelling alone says: tables and pure functions. Where it really lies is the broker's to find out. */
#ifndef PATHS_PATHS_H
#define PATHS_PATHS_H

#include "policy/base.h"

/* Secret-looking, case-insensitively, by any component or the last one (policy/paths/secret.c). `path` is expanded
 * (no tilde, no variable); absolute or relative. */
bool path_is_secret(struct bytes path);
/* Could a pattern of file names (`*`, `?`, `[…]`) become one of those? */
bool path_glob_reaches_secret(struct bytes pattern);
/* A directory that has, or may have, one of those below it: /etc, ~/.config … */
bool path_holds_secret(struct bytes path);
/* The gate's own files, state and hooks of every harness, by name (policy/paths/gate.c). *ret_what: static text. */
bool path_is_gate(struct bytes path, struct bytes home, const char **ret_what);
/* A directory that has one of those below it, if it exists: deleting, moving or re-permissioning it hits them. */
bool path_holds_gate(struct bytes path, struct bytes home, const char **ret_what);
/* Could a pattern of file names become the name of a harness's settings, in whichever directory? */
bool path_glob_reaches_gate(struct bytes pattern);
/* The same of a whole path with patterns among its components; `below`: with all that lies below what it fits. */
bool path_glob_hits_gate(struct bytes pattern, struct bytes home, bool below);
/* A harness's own directory: what is unpacked, linked or mounted there may replace its settings and hooks. */
bool path_is_gate_directory(struct bytes path, struct bytes home);
/* A place whose content is run later by somebody: startup files, hooks, units, crontabs … */
bool path_is_startup(struct bytes path, struct bytes home, const char **ret_what);
/* A file that decides who may log in or become root. */
bool path_grants_access(struct bytes path, struct bytes home);
/* Relative to a workspace root: git internals, agent settings, env files, workflows. */
bool path_is_sensitive_in_workspace(struct bytes relative, const char **ret_what);
/* Could a pattern of file names become one of those? */
bool path_glob_reaches_sensitive(struct bytes pattern);
/* A directory of the operating system: /usr, /etc, /boot … (the directory itself or below). */
bool path_is_system(struct bytes path);
/* Build or cache output by its components (node_modules, target, __pycache__ …). */
bool path_is_build_output(struct bytes relative);
/* What a system's package manager has fetched and fetches again: its lists and downloads (apt(8), dnf(8), apk(8) …). To
 * be deleted, that is: what is put there may be installed. Absolute. */
bool path_is_package_cache(struct bytes path);

/*
 * Does a zone's glob hold the path? Absolute, below ~/, or relative: then it may begin at any component. `*` and `?`
 * stay within a component, `**` stands for any number of them; what lies below a match matches as well.
 */
bool path_in_zone(struct bytes path, struct bytes glob, struct bytes home);
/* May something that an absolute glob holds lie below the directory? */
bool zone_begins_below(struct bytes glob, struct bytes dir, struct bytes home);

/*
 * Join and normalise by text: `.` and `..` removed, no double slash, no trailing slash. base may be empty when path is
 * absolute. Returns the length, or 0 when the result does not fit or base is needed and not absolute.
 */
size_t path_normalise(struct bytes base, struct bytes path, char *buffer, size_t size);
/* What stands behind the last slash; the whole of it where there is none. */
struct bytes path_last(struct bytes path);
/* path equals dir or lies below it, by components. Both normalised. */
bool path_within(struct bytes path, struct bytes dir);

#endif
