/* SPDX-License-Identifier: Apache-2.0 */
/* Where the user we run as is at home. */
#ifndef BROKER_HOME_H
#define BROKER_HOME_H

#include "policy/base.h"

#include <sys/types.h>

/*
 * The home directory of the user we run as, by passwd(5), or NULL. Owned by the caller. Where the file does not know
 * the user the name service is asked, which starts a program: not for a confined process, nor one with threads. How
 * long that takes is for the guard's deadline.
 */
char *home_from_passwd(void);

/* The same of any user, with the file, and the program that is asked as getent(1) is: for tests. */
char *home_of(uid_t uid, const char *passwd, const char *getent) NONNULL;

#endif
