/* SPDX-License-Identifier: Apache-2.0 */
/* SQL text: what its statements do to the data. */
#ifndef COMMANDS_SQL_H
#define COMMANDS_SQL_H

#include "worker/commands/model.h"

enum sql_dialect { SQL_POSTGRES, SQL_MYSQL, SQL_SQLITE };

/* Adds DB_READ, DB_WRITE or DB_DESTROY on `database` for every statement; what is not read for certain makes
 * the run open. */
void sql_effects(struct run *run, struct bytes text, enum sql_dialect dialect, struct bytes database);

#endif
