/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the harness's environment that change what commands do, and which commands. */
#ifndef POLICY_ENVIRONMENT_H
#define POLICY_ENVIRONMENT_H

#include "policy/base.h"

/* When a value of such a variable changes nothing that matters. */
enum environment_value {
	ENVIRONMENT_CLOSES = 0, /* never */
	ENVIRONMENT_ANY, /* always */
	ENVIRONMENT_NUMBER, /* 0, 1, 2 or a word for yes or no: git writes where another number, or a path, says */
	ENVIRONMENT_COUNT, /* any number */
	ENVIRONMENT_DIRECTORIES, /* places, between colons, where only root or the user writes, and no project lies */
	ENVIRONMENT_PROJECT, /* the same, or of the project itself, as its tests run its code anyway */
	ENVIRONMENT_NODE, /* known options of node … */
	ENVIRONMENT_JAVA,
	ENVIRONMENT_GO,
	ENVIRONMENT_MAKE,
	ENVIRONMENT_PYTEST,
	ENVIRONMENT_WARNINGS, /* python's filters without a class of some module */
	ENVIRONMENT_SSH, /* ssh with options that run nothing */
	ENVIRONMENT_GIT_KEY, /* the name of a setting that runs nothing and leads nowhere else */
	ENVIRONMENT_RUST, /* of rustc */
	ENVIRONMENT_C, /* of C and C++ compilers */
	ENVIRONMENT_COMPILER, /* the name of one */
	ENVIRONMENT_INDEX, /* an official registry, or none */
	ENVIRONMENT_SOCKET, /* of this machine */
	ENVIRONMENT_LESS, /* the filters that distributions set up for less */
	ENVIRONMENT_LESS_OPTIONS,
	ENVIRONMENT_GIT_VALUE, /* what belongs to such a name: GIT_CONFIG_KEY_n to GIT_CONFIG_VALUE_n */
};

/* The table holds the variable, though it may be one that changes nothing whatever its value is. */
bool environment_is_listed(struct bytes name);
/* Of a variable that is not powerful at all: ENVIRONMENT_ANY. */
enum environment_value environment_value_of(struct bytes name);
/*
 * Does a value of that kind change nothing, by what it says? Of the kinds of places: true, and each place has to be
 * looked at besides. GIT_VALUE: false, as the value says nothing about it.
 */
bool environment_value_is_harmless(enum environment_value kind, struct bytes value);

/*
 * Is `name` one that decides what some program runs or where it works? Then *ret_row is its row for
 * environment_affects().
 */
bool environment_is_powerful(struct bytes name, uint32_t *ret_row);
/* Does that variable bear upon a program of this name (without directories)? `variable` is what the row was found by. */
bool environment_affects(uint32_t row, struct bytes variable, struct bytes program);
/* A directory of PATH where the system keeps its programs: whoever may write there owns the machine. */
bool environment_is_program_directory(struct bytes directory);

#endif
