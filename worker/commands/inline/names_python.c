/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of Python and its standard library do (Python library reference). Sorted by name. */
#include "worker/commands/inline/python.h"

#define IS(name, act) { name, "", "", ACT_##act, EFFECT_UNKNOWN }
#define GIVES(name, act, class) { name, class, "", ACT_##act, EFFECT_UNKNOWN }
#define DOES(name, act, effect) { name, "", "", ACT_##act, EFFECT_##effect }
#define LISTS(name, act, effect, class) { name, "", class, ACT_##act, EFFECT_##effect }

static const struct entity entities[] = {
#include "worker/commands/inline/names_python.def"
};

const struct language language_python = {
	.entities = entities,
	.n_entities = ARRAY_LEN(entities),
	.parse = python_parse,
	.imports_here = true,
	.methods = "capitalize casefold center count decode encode endswith expandtabs find format index "
		   "isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace "
		   "istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind "
		   "rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title "
		   "translate upper zfill hex tobytes bit_length to_bytes as_integer_ratio is_integer keys values "
		   "items get copy most_common elements total union intersection difference symmetric_difference "
		   "issubset issuperset isdisjoint group groups groupdict start end span findall finditer match "
		   "search fullmatch sub subn strftime isoformat timestamp timetuple date time weekday isoweekday "
		   "isocalendar astimezone total_seconds utcoffset "
		   "read readline readlines close flush seek tell write writelines seekable readable writable "
		   "isatty fileno json iter_content getvalue writerow writerows writeheader "
		   "namelist infolist getinfo getnames getmembers hexdigest digest "
		   "getroot iter itertext findtext tostring sections options has_option getint getfloat "
		   "getboolean quantize sqrt conjugate",
	.changes = "append extend insert remove pop popitem clear update setdefault add discard sort reverse "
		   "appendleft popleft extendleft rotate move_to_end intersection_update difference_update",
	.attributes = "returncode stdout stderr args errno strerror filename msg lineno colno pos doc code status "
		      "status_code reason text content headers url ok encoding name names stem suffix suffixes "
		      "parts major minor micro releaselevel serial system node release version machine "
		      "processor year month day hour minute second microsecond tzinfo days seconds "
		      "microseconds st_size st_mtime st_mode st_ctime st_atime st_uid st_gid st_ino st_nlink "
		      "file_size compress_size date_time size mtime mode total used free real imag numerator "
		      "denominator fieldnames line_num tag attrib tail string pattern flags groups groupindex "
		      "lastgroup lastindex start stop step tm_year tm_mon tm_mday tm_hour tm_min tm_sec scheme "
		      "netloc path params query fragment hostname port username columns lines value message "
		      "filelist maxunicode hex hash_info bits_per_digit dont_write_bytecode",
	.modules = "numpy pandas torch torchvision torchaudio tensorflow keras jax scipy sklearn matplotlib seaborn "
		   "plotly requests httpx aiohttp urllib3 flask django fastapi starlette uvicorn gunicorn pydantic "
		   "sqlalchemy alembic psycopg2 pymongo redis celery yaml toml tomli tomlkit click typer rich tqdm "
		   "pytest hypothesis attr attrs jinja2 markupsafe werkzeug cryptography jwt PIL cv2 skimage bs4 "
		   "lxml transformers datasets tokenizers accelerate openai anthropic langchain tiktoken "
		   "setuptools pip wheel packaging networkx sympy numba cython nltk spacy gym gymnasium boto3 "
		   "botocore docker kubernetes paramiko psutil dotenv dateutil pytz tzdata six certifi "
		   "abc array asyncio atexit builtins cProfile code codecs concurrent concurrent.futures contextvars "
		   "ctypes curses dbm dis doctest email faulthandler fcntl filecmp fileinput ftplib gc gettext graphlib grp http "
		   "http.client http.server imaplib inspect linecache logging lzma mailbox marshal mimetypes mmap "
		   "multiprocessing netrc optparse pdb pickle pkgutil plistlib profile pstats pty pwd queue readline "
		   "reprlib resource runpy sched select selectors shelve signal smtplib socketserver ssl stringprep "
		   "symtable sysconfig syslog tabnanny termios threading timeit tkinter token trace tracemalloc tty "
		   "unittest venv wave weakref webbrowser wsgiref xmlrpc zipapp zoneinfo bz2 _thread",
};
