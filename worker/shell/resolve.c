/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/shell/parser.h"
struct bindings { int dummy; };
const struct bytes *binding_value(const struct bindings *b, struct bytes name){(void)b;(void)name;return NULL;}
bool bindings_split_by_default(const struct bindings *b){(void)b;return false;}
bool bindings_home_known(const struct bindings *b){(void)b;return false;}
void resolve_variables(struct parser *p){(void)p;}
