/* SPDX-License-Identifier: Apache-2.0 */
/* Directories that a build or a package manager makes and can make again. */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

static const char *const build_names[] = {
	"node_modules", "bower_components", "dist", "build", "target", "out", ".cache", "cache", "__pycache__",
	".pytest_cache",
	".mypy_cache", ".ruff_cache", ".hypothesis", "coverage", ".coverage", "htmlcov", ".nyc_output", ".next",
	".nuxt",
	".output", ".svelte-kit", ".turbo", ".gradle", ".venv", "venv", "bin", "obj", ".tox", ".nox", ".parcel-cache",
	".angular", ".vite", ".eggs", "cmake-build-debug", "cmake-build-release", "_build", ".dart_tool", ".terraform",
	"deriveddata", "zig-cache", ".zig-cache", "zig-out", ".serverless", "storybook-static", "test-results",
	"playwright-report", "builddir", ".build",
};

bool path_is_build_output(struct bytes relative)
{
	struct components split;

	path_split(relative, &split);
	if (split.absolute || split.too_long || (split.n > 0 && bytes_is(split.c[0], "..")))
		return false;
	for (uint32_t i = 0; i < split.n; i++) {
		for (size_t k = 0; k < ARRAY_LEN(build_names); k++)
			if (path_name_eq(split.c[i], build_names[k]))
				return true;
		/* *.egg-info is what pip install -e leaves. */
		if (path_name_matches(split.c[i], "*.egg-info"))
			return true;
	}
	return false;
}

bool path_is_package_cache(struct bytes path)
{
	static const char *const directories[] = { "/var/lib/apt/lists", "/var/cache/apt", "/var/cache/apk",
		"/var/cache/dnf", "/var/cache/libdnf5", "/var/cache/yum", "/var/cache/zypp", "/var/cache/pacman/pkg",
		"/var/cache/xbps" };

	for (size_t i = 0; i < ARRAY_LEN(directories); i++)
		if (path_within(path, (struct bytes){ directories[i], strlen(directories[i]) }))
			return true;
	return false;
}
