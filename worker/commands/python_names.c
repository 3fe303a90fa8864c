/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Python's standard library that are harmless, or whose effect is known (Python library reference).
 */
#include "worker/commands/python_names.h"

/* "*": everything in it only computes. Else: these names do. */
static const struct {
	const char *module, *harmless;
} modules[] = {
	{ "abc", "*" },
	{ "argparse", "ArgumentParser Namespace SUPPRESS REMAINDER" },
	{ "ast",
		"literal_eval parse dump walk NodeVisitor FunctionDef ClassDef AsyncFunctionDef Name Call "
		"Import ImportFrom Constant get_docstring" },
	{ "base64", "*" },
	{ "binascii", "*" },
	{ "bisect", "*" },
	{ "calendar", "*" },
	{ "cmath", "*" },
	{ "collections", "*" },
	{ "collections.abc", "*" },
	{ "colorsys", "*" },
	{ "contextlib", "suppress closing contextmanager nullcontext redirect_stdout redirect_stderr" },
	{ "copy", "copy deepcopy" },
	{ "csv", "*" },
	{ "dataclasses", "*" },
	{ "datetime", "*" },
	{ "decimal", "*" },
	{ "difflib", "*" },
	{ "enum", "*" },
	{ "fnmatch", "*" },
	{ "fractions", "*" },
	{ "functools", "reduce partial lru_cache wraps cmp_to_key cache" },
	{ "glob", "escape" },
	{ "hashlib", "*" },
	{ "heapq", "*" },
	{ "hmac", "*" },
	{ "html", "*" },
	{ "importlib", "" },
	{ "importlib.metadata", "version PackageNotFoundError metadata distributions" },
	{ "importlib.util", "find_spec" },
	{ "io", "StringIO BytesIO TextIOWrapper" },
	{ "ipaddress", "*" },
	{ "itertools", "*" },
	{ "json", "loads load dumps dump JSONDecodeError JSONDecoder JSONEncoder" },
	{ "keyword", "*" },
	{ "math", "*" },
	{ "numbers", "*" },
	{ "operator", "itemgetter add sub mul truediv eq ne lt le gt ge neg and_ or_ xor contains" },
	{ "os",
		"getcwd sep linesep name cpu_count getpid getppid uname getlogin curdir pardir extsep "
		"pathsep devnull getuid geteuid getgid get_terminal_size getloadavg sched_getaffinity fspath "
		"stat access R_OK W_OK X_OK F_OK times" },
	{ "os.path",
		"join exists isfile isdir islink basename dirname abspath realpath splitext split expanduser "
		"normpath relpath getsize getmtime getctime isabs commonprefix commonpath sep samefile "
		"lexists ismount" },
	{ "pathlib", "PurePath PurePosixPath" },
	{ "platform", "*" },
	{ "pprint", "*" },
	{ "random", "*" },
	{ "re", "*" },
	{ "requests", "" },
	{ "secrets", "*" },
	{ "shlex", "*" },
	{ "shutil", "which disk_usage get_terminal_size" },
	{ "site", "getsitepackages getusersitepackages" },
	{ "statistics", "*" },
	{ "string", "*" },
	{ "struct", "*" },
	{ "subprocess", "PIPE DEVNULL STDOUT" },
	{ "sys",
		"version version_info platform exit executable maxsize byteorder argv stdin stdout stderr "
		"getsizeof implementation prefix base_prefix exec_prefix getrecursionlimit setrecursionlimit "
		"float_info int_info maxunicode getdefaultencoding api_version builtin_module_names "
		"stdlib_module_names hexversion getfilesystemencoding" },
	{ "sysconfig", "get_path get_paths get_config_var get_platform get_python_version" },
	{ "textwrap", "*" },
	{ "time", "*" },
	{ "tomllib", "load loads TOMLDecodeError" },
	{ "traceback", "print_exc format_exc" },
	{ "types", "SimpleNamespace" },
	{ "typing", "*" },
	{ "unicodedata", "*" },
	{ "urllib", "" },
	{ "urllib.parse", "*" },
	{ "urllib.request", "" },
	{ "uuid", "*" },
	{ "warnings", "filterwarnings simplefilter warn" },
	{ "xml", "" },
	{ "xml.etree", "" },
	{ "xml.etree.ElementTree", "fromstring tostring Element SubElement ParseError" },
	{ "yaml", "safe_load safe_dump safe_load_all YAMLError" },
	{ "zlib", "*" },
	{ "__future__", "*" },
	/* Installed packages, imported to see that they are there. */
	{ "numpy", "__version__ __file__" },
	{ "pandas", "__version__ __file__" },
	{ "torch", "__version__ __file__" },
	{ "tensorflow", "__version__" },
	{ "scipy", "__version__" },
	{ "sklearn", "__version__" },
	{ "matplotlib", "__version__" },
	{ "flask", "__version__" },
	{ "django", "__version__ VERSION" },
	{ "fastapi", "__version__" },
	{ "pydantic", "__version__ VERSION" },
	{ "sqlalchemy", "__version__" },
	{ "pytest", "__version__" },
	{ "transformers", "__version__" },
	{ "jax", "__version__" },
	{ "cv2", "__version__" },
	{ "PIL", "__version__" },
	{ "httpx", "__version__" },
};

static const struct python_use uses[] = {
	{ "glob.glob", USE_EFFECT, EFFECT_LIST },
	{ "glob.iglob", USE_EFFECT, EFFECT_LIST },
	{ "io.open", USE_OPEN },
	{ "gzip.open", USE_OPEN },
	{ "os.chmod", USE_EFFECT, EFFECT_MODE_OPEN },
	{ "os.environ", USE_ENVIRONMENT },
	{ "os.getenv", USE_ENVIRONMENT },
	{ "os.listdir", USE_EFFECT, EFFECT_LIST },
	{ "os.makedirs", USE_EFFECT, EFFECT_CREATE },
	{ "os.mkdir", USE_EFFECT, EFFECT_CREATE },
	{ "os.popen", USE_SHELL },
	{ "os.remove", USE_EFFECT, EFFECT_DELETE },
	{ "os.rename", USE_EFFECT, EFFECT_MOVE, EFFECT_WRITE },
	{ "os.replace", USE_EFFECT, EFFECT_MOVE, EFFECT_WRITE },
	{ "os.rmdir", USE_EFFECT, EFFECT_DELETE },
	{ "os.scandir", USE_EFFECT, EFFECT_LIST },
	{ "os.symlink", USE_EFFECT, EFFECT_LINK, EFFECT_WRITE },
	{ "os.system", USE_SHELL },
	{ "os.unlink", USE_EFFECT, EFFECT_DELETE },
	{ "os.walk", USE_EFFECT, EFFECT_LIST },
	{ "requests.get", USE_EFFECT, EFFECT_FETCH },
	{ "requests.head", USE_EFFECT, EFFECT_FETCH },
	{ "requests.post", USE_EFFECT, EFFECT_UPLOAD },
	{ "requests.put", USE_EFFECT, EFFECT_UPLOAD },
	{ "requests.patch", USE_EFFECT, EFFECT_UPLOAD },
	{ "shutil.copy", USE_EFFECT, EFFECT_COPY, EFFECT_WRITE },
	{ "shutil.copy2", USE_EFFECT, EFFECT_COPY, EFFECT_WRITE },
	{ "shutil.copyfile", USE_EFFECT, EFFECT_COPY, EFFECT_WRITE },
	{ "shutil.copytree", USE_EFFECT, EFFECT_COPY, EFFECT_WRITE },
	{ "shutil.move", USE_EFFECT, EFFECT_MOVE, EFFECT_WRITE },
	{ "shutil.rmtree", USE_EFFECT, EFFECT_DELETE_TREE },
	{ "subprocess.Popen", USE_COMMAND },
	{ "subprocess.call", USE_COMMAND },
	{ "subprocess.check_call", USE_COMMAND },
	{ "subprocess.check_output", USE_COMMAND },
	{ "subprocess.getoutput", USE_SHELL },
	{ "subprocess.getstatusoutput", USE_SHELL },
	{ "subprocess.run", USE_COMMAND },
	{ "urllib.request.urlretrieve", USE_EFFECT, EFFECT_FETCH, EFFECT_WRITE },
	{ "xml.etree.ElementTree.parse", USE_EFFECT, EFFECT_READ },
};

bool python_module(struct bytes path)
{
	for (size_t i = 0; i < ARRAY_LEN(modules); i++)
		if (bytes_is(path, modules[i].module))
			return true;
	return false;
}

const struct python_use *python_use(struct bytes path)
{
	static const struct python_use harmless = { "", USE_HARMLESS, EFFECT_UNKNOWN, EFFECT_UNKNOWN };
	/* What such modules import themselves, or what evaluates text. */
	static const char leads_on[] =
		"os sys io builtins bltns subprocess shutil inspect types codecs importlib threading socket "
		"functools operator get_type_hints pickle tempfile pathlib ctypes popen warnings";
	const char *dot = path.len ? memrchr(path.p, '.', path.len) : NULL;
	struct bytes module, last;

	for (size_t i = 0; i < ARRAY_LEN(uses); i++)
		if (bytes_is(path, uses[i].path))
			return &uses[i];
	if (!dot || python_module(path))
		return NULL;
	module = (struct bytes){ path.p, (size_t)(dot - path.p) };
	last = bytes_from(path, module.len + 1);
	for (size_t i = 0; i < ARRAY_LEN(modules); i++)
		if (bytes_is(module, modules[i].module)) {
			bool known = strcmp(modules[i].harmless, "*") == 0
				? last.p[0] != '_' && !in_list(last, leads_on)
				: in_list(last, modules[i].harmless);

			return known ? &harmless : NULL;
		}
	return NULL;
}

bool python_forbidden(struct bytes name)
{
	if (in_list(name,
		    "eval exec compile globals locals vars getattr setattr delattr breakpoint help copyright "
		    "credits license memoryview __import__"))
		return true;
	return bytes_start(name, "__") && !in_list(name, "__name__ __file__ __doc__");
}

bool python_attribute(struct bytes name)
{
	static const char harmless[] =
		/* str and bytes */
		"join split rsplit strip lstrip rstrip startswith endswith upper lower title capitalize "
		"replace find rfind index rindex count format format_map encode decode splitlines partition "
		"rpartition zfill ljust rjust center isdigit isalpha isalnum isspace isupper islower "
		"isidentifier isnumeric translate maketrans expandtabs swapcase casefold hex fromhex "
		"removeprefix removesuffix "
		/* containers */
		"append extend insert pop sort reverse clear copy get keys values items update setdefault "
		"popitem add discard union intersection difference symmetric_difference issubset issuperset "
		"most_common elements appendleft popleft fromkeys "
		/* numbers and dates */
		"bit_length real imag conjugate is_integer as_integer_ratio total_seconds days seconds "
		"microseconds year month day hour minute second microsecond isoformat strftime strptime "
		"fromisoformat fromtimestamp timestamp now today utcnow date time weekday isocalendar utc "
		"tzinfo astimezone "
		/* files and streams that are open already */
		"read readline readlines write writelines close flush closed buffer isatty seek tell "
		"getvalue fileno "
		/* regular expressions */
		"group groups groupdict start end span match search fullmatch findall finditer sub subn "
		"pattern flags "
		/* digests, csv, platform, version, process results, JSON */
		"hexdigest digest reader writer writerow writerows DictReader DictWriter writeheader "
		"fieldnames node release version machine processor major minor micro releaselevel serial "
		"returncode stdout stderr text status_code ok json headers sysname nodename st_size st_mtime "
		"st_mode total used free name args message msg lineno body id func __version__ __file__ "
		"__name__ __doc__ add_argument parse_args find findtext attrib tag iter getroot tail scheme "
		"netloc path query fragment hostname port username __init__ __str__ __repr__ __len__ __eq__";

	return in_list(name, harmless);
}
