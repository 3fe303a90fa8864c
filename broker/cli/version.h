/* SPDX-License-Identifier: Apache-2.0 */
/* The version, as the build file has it. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

extern const char version_text[];

#endif
