/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of JavaScript and of Node's modules do (ECMA-262, Node.js API). Sorted by name. */
#include "worker/commands/inline/node.h"

#define IS(name, act) { name, "", "", ACT_##act, EFFECT_UNKNOWN }
#define GIVES(name, act, class) { name, class, "", ACT_##act, EFFECT_UNKNOWN }
#define DOES(name, act, effect) { name, "", "", ACT_##act, EFFECT_##effect }
#define LISTS(name, act, effect, class) { name, "", class, ACT_##act, EFFECT_##effect }

static const struct entity entities[] = {
#include "worker/commands/inline/names_node.def"
};

const struct language language_node = {
	.entities = entities,
	.n_entities = ARRAY_LEN(entities),
	.parse = javascript_parse,
	.methods = "at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match "
		   "matchAll normalize padEnd padStart repeat replace replaceAll search slice split startsWith "
		   "substring substr toLowerCase toUpperCase toString trim trimEnd trimStart toFixed toPrecision "
		   "toLocaleString toISOString toJSON getTime getFullYear getMonth getDate getHours getMinutes "
		   "getSeconds getDay toDateString valueOf test exec "
		   "entries every filter find findIndex findLast flat flatMap forEach join keys map reduce "
		   "reduceRight some values has get size hasOwnProperty toSorted toReversed with "
		   "then catch finally json text arrayBuffer update digest readUInt8 readUInt16LE readUInt32LE "
		   "readUInt16BE readUInt32BE isFile isDirectory isSymbolicLink getFullYear format formatToParts "
		   "equals subarray searchParams getTimezoneOffset",
	.changes = "push pop shift unshift splice sort reverse fill set add delete clear append copyWithin",
	.callbacks = "every filter find findIndex findLast flatMap forEach map reduce reduceRight some then catch "
		     "finally",
	.modules = "vm http https net tls dns cluster dgram http2 inspector repl stream tty worker_threads "
		   "trace_events async_hooks diagnostics_channel domain punycode sqlite sys wasi test sea module stream/promises "
		   "dns/promises util/types constants",
	.refused = "constructor prototype caller callee arguments mainModule",
};
