/* SPDX-License-Identifier: Apache-2.0 */
/* A FUSE file system whose server answers for its root and never for anything below it: hungfs MOUNTPOINT. */
#define FUSE_USE_VERSION 35
#include <fuse_lowlevel.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A request without a reply keeps its caller waiting; it is freed with the session. */
static void never_lookup(fuse_req_t request, fuse_ino_t parent, const char *name)
{
	(void)request;
	(void)parent;
	(void)name;
}

static void never_open(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *file)
{
	(void)request;
	(void)node;
	(void)file;
}

static void getattr(fuse_req_t request, fuse_ino_t node, struct fuse_file_info *file)
{
	struct stat st = { .st_ino = node, .st_mode = S_IFDIR | 0755, .st_nlink = 2 };

	(void)file;
	st.st_uid = fuse_req_ctx(request)->uid;
	st.st_gid = fuse_req_ctx(request)->gid;
	if (node == FUSE_ROOT_ID)
		fuse_reply_attr(request, &st, 0.0);
}

int main(int argc, char **argv)
{
	static const struct fuse_lowlevel_ops operations = {
		.lookup = never_lookup,
		.getattr = getattr,
		.open = never_open,
		.opendir = never_open,
	};
	struct fuse_args args = FUSE_ARGS_INIT(1, argv);
	struct fuse_session *session;
	int status = 1;

	if (argc != 2) {
		fprintf(stderr, "usage: hungfs MOUNTPOINT\n");
		return 64;
	}
	session = fuse_session_new(&args, &operations, sizeof(operations), NULL);
	if (!session)
		return 1;
	if (fuse_set_signal_handlers(session) == 0) {
		if (fuse_session_mount(session, argv[1]) == 0) {
			puts("mounted");
			fflush(stdout);
			status = fuse_session_loop(session) == 0 ? 0 : 1;
			fuse_session_unmount(session);
		}
		fuse_remove_signal_handlers(session);
	}
	fuse_session_destroy(session);
	fuse_opt_free_args(&args);
	return status;
}
