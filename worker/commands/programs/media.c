/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures, sound, film and documents: programs that look at them, and programs that make one file out of another.
 * Formats that run commands or fetch (magick's delegates, ffmpeg's protocols) are told by what a name begins with.
 */
#include "worker/commands/model.h"

#define READS RULES{ { EACH, EFFECT_READ }, { END } }

/* NAME:REST is a protocol or a coder of the program, not a file: http:, concat:, msl:, ephemeral:, fd: … */
static bool names_protocol(struct bytes text)
{
	const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
	const char *slash = text.len ? memchr(text.p, '/', text.len) : NULL;

	return colon && (!slash || colon < slash);
}

/* ffmpeg [options] [[input options] -i INPUT]… [[output options] OUTPUT]… (ffmpeg(1)): one dash, no clusters, `:` and a
 * stream specifier behind an option's name. */
static bool ffmpeg_known(struct bytes name, enum arity *ret_arity)
{
	static const char flags[] = "y n hide_banner nostdin nostats stats vn an sn dn shortest re copyts "
				    "accurate_seek autorotate noautorotate version formats codecs encoders "
				    "decoders filters pix_fmts protocols devices layouts bsfs muxers demuxers "
				    "bitexact benchmark";
	static const char values[] = "i f c codec vcodec acodec scodec b bufsize maxrate minrate r s aspect "
				     "pix_fmt ss to t sseof crf preset tune profile level g bf q qscale ar ac ab "
				     "vb map metadata loglevel v threads movflags frames vframes aframes vol "
				     "fps_mode vsync framerate start_number loop stream_loop itsoffset disposition "
				     "map_metadata map_chapters map_channel sample_fmt channel_layout ch_layout "
				     "compression_level quality loop color_range colorspace color_primaries "
				     "color_trc max_muxing_queue_size fs hls_time hls_list_size segment_time "
				     "reset_timestamps bsf force_key_frames sws_flags x264-params x265-params tag "
				     "strict safe probesize analyzeduration vf af filter filter_complex lavfi "
				     "print_format of show_entries select_streams select_frames read_intervals "
				     "sexagesimal row-mt cpu-used deadline";
	const char *colon = name.len ? memchr(name.p, ':', name.len) : NULL;

	if (colon)
		name.len = (size_t)(colon - name.p);
	*ret_arity = in_list(name, flags) ? NOTHING : REQUIRED;
	return in_list(name, flags) || in_list(name, values);
}

/* Filters that read or write files, send messages, or run frei0r and ladspa plugins (ffmpeg-filters(1)). */
static bool filter_reaches_out(struct bytes text)
{
	static const char *const parts[] = { "movie", "frei0r", "ladspa", "lv2", "zmq", "sendcmd", "subtitles", "ass=",
		"file=", "filename=", "textfile", "fontfile", "metadata=", "metadata:", "script", "dnn", "model=",
		"lut3d", "lut1d", "haldclut=", "vidstab", "stats_file", "signature", "libvmaf", "opencl", "fd:", "://",
		"drawvg", "removelogo", "ocr", "whisper" };

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (bytes_find(text, parts[i]))
			return true;
	return false;
}

static void ffmpeg_value(struct run *run, struct bytes name, const struct arg *value)
{
	const char *colon = name.len ? memchr(name.p, ':', name.len) : NULL;

	if (colon)
		name.len = (size_t)(colon - name.p);
	if (in_list(name, "vf af filter filter_complex lavfi")) {
		if (!value->is_static || filter_reaches_out(value->text))
			run_open(run, "a filter of %s may read other files or run plugins", run->model->name);
		return;
	}
	if (bytes_is(name, "f") && !(value->is_static &&
		in_list(value->text, "mp4 mov matroska webm mp3 wav flac ogg opus adts avi gif image2 image2pipe "
				     "rawvideo null s16le f32le mpegts h264 hevc aac m4a json csv flat ini default "
				     "compact")))
		run_open(run, "a format of %s may open other files or devices", run->model->name);
	if (!bytes_is(name, "i"))
		return;
	if (names_protocol(value->text) && !bytes_start(value->text, "pipe:"))
		run_open(run, "%s reads from a protocol", run->model->name);
	else if (!arg_is(value, "-"))
		run_effect(run, EFFECT_USE, value);
}

/* ffprobe reads where ffmpeg writes: its operand is an input. */
static void ffmpeg_reader(struct run *run)
{
	bool probes = strcmp(run->model->name, "ffprobe") == 0;

	run_effect_fixed(run, EFFECT_PURE, NULL);
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		enum arity arity;

		if (a->text.len == 0 && arg_may_be_option(run, a)) {
			run_open(run, "a word of %s is not known before it runs", run->model->name);
			return;
		}
		if (a->text.len < 2 || a->text.p[0] != '-') {
			if (names_protocol(a->text) && !bytes_start(a->text, "pipe:"))
				run_open(run, "%s writes to a protocol", run->model->name);
			else if (!arg_is(a, "-"))
				run_effect(run, probes ? EFFECT_USE : EFFECT_WRITE, a);
			continue;
		}
		if (!a->is_static || (!ffmpeg_known(bytes_from(a->text, 1), &arity) &&
			!(probes && bytes_start(a->text, "-show_") && (arity = NOTHING) == NOTHING))) {
			run_open(run, "option %.*s of %s is not known to the gate",
				(int)(a->text.len < 60 ? a->text.len : 60), a->text.p, run->model->name);
			return;
		}
		if (arity == REQUIRED && i + 1 < run->argc)
			ffmpeg_value(run, bytes_from(a->text, 1), &run->argv[++i]);
	}
}

MODEL(ffmpeg) = { .name = "ffmpeg", .reader = ffmpeg_reader };
MODEL(ffprobe) = { .name = "ffprobe", .reader = ffmpeg_reader };

/*
 * magick and its older names: [SETTING…] INPUT… [OPERATOR…] OUTPUT. A name with a coder in front (msl:, ephemeral:,
 * https:, label:@file), an @file and -write reach further, and so do the formats that are scripts (msl, mvg) or are
 * read by another program. Only operators listed here are known (imagemagick.org, "Command-line Options").
 */
static bool magick_known(struct bytes name, enum arity *ret_arity)
{
	static const char flags[] = "strip auto-orient flip flop trim negate normalize auto-level equalize enhance "
				    "monochrome verbose quiet transpose transverse repage adjoin append coalesce "
				    "flatten mosaic composite antialias despeckle ping moments features reverse";
	static const char values[] = "resize quality crop rotate background gravity extent thumbnail density "
				     "geometry scale sample blur sharpen unsharp gaussian-blur border bordercolor "
				     "fill stroke strokewidth pointsize annotate colorspace depth type format "
				     "compress interlace sampling-factor alpha channel colors dither fuzz "
				     "transparent opaque brightness-contrast modulate level gamma contrast-stretch "
				     "sigmoidal-contrast threshold delay loop dispose layers size delete limit "
				     "metric compose evaluate filter shave splice roll undercolor virtual-pixel "
				     "units page";

	*ret_arity = in_list(name, flags) ? NOTHING : REQUIRED;
	return in_list(name, flags) || in_list(name, values);
}

/* By the ending of the name, in front of a choice of frames: picture.gif[0]. */
static bool is_picture(struct bytes name)
{
	static const char endings[] = "png jpg jpeg gif webp bmp tif tiff ico avif heic heif jxl ppm pgm pnm pbm svg "
				      "PNG JPG JPEG GIF WEBP TIF TIFF HEIC";
	const char *bracket = name.len ? memchr(name.p, '[', name.len) : NULL;
	const char *dot;

	if (bracket)
		name.len = (size_t)(bracket - name.p);
	dot = name.len ? memrchr(name.p, '.', name.len) : NULL;
	return dot && in_list(bytes_from(name, (size_t)(dot + 1 - name.p)), endings);
}

/* Pictures that are made of nothing. */
static bool is_canvas(struct bytes name)
{
	static const char *const canvases[] = { "xc:", "canvas:", "gradient:", "radial-gradient:", "plasma:", "null:" };

	for (size_t i = 0; i < ARRAY_LEN(canvases); i++)
		if (bytes_start(name, canvases[i]))
			return !bytes_char(name, '@') && !bytes_char(name, '/');
	return false;
}

static void magick_file(struct run *run, const struct arg *a, bool last)
{
	struct bytes name = a->is_static || !a->word ? a->text : a->word->src;

	if (!a->is_static && !bytes_char(a->text, '/')) {
		run_open(run, "a word of %s is not known before it runs", run->model->name);
		return;
	}
	if (!a->is_static && bytes_end(name, "\""))
		name.len--;
	if (a->is_static && !last && is_canvas(a->text))
		return;
	if (names_protocol(a->text) || bytes_start(a->text, "@") || bytes_start(a->text, "|") || !is_picture(name)) {
		run_open(run, "%s is given a name that is no picture's", run->model->name);
		return;
	}
	run_effect(run, last ? EFFECT_WRITE : EFFECT_USE, a);
}

static void magick_reader(struct run *run)
{
	bool looks = strcmp(run->model->name, "identify") == 0, in_place = strcmp(run->model->name, "mogrify") == 0;
	uint32_t from = 0, last = run->argc;

	run_effect_fixed(run, EFFECT_PURE, NULL);
	if (strcmp(run->model->name, "magick") == 0 && run->argc &&
		in_list(run->argv[0].text, "identify convert mogrify")) {
		looks = arg_is(&run->argv[0], "identify");
		in_place = arg_is(&run->argv[0], "mogrify");
		from = 1;
	}
	if (!looks && !in_place && run->argc)
		last = run->argc - 1;
	for (uint32_t i = from; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		enum arity arity;

		if (a->text.len == 0 && arg_may_be_option(run, a)) {
			run_open(run, "a word of %s is not known before it runs", run->model->name);
			return;
		}
		if (in_list(a->text, "( ) \\( \\)"))
			continue;
		if (a->text.len < 2 || (a->text.p[0] != '-' && a->text.p[0] != '+')) {
			magick_file(run, a, in_place || i == last);
			continue;
		}
		if (!a->is_static || !magick_known(bytes_from(a->text, 1), &arity)) {
			run_open(run, "option %.*s of %s is not known to the gate",
				(int)(a->text.len < 60 ? a->text.len : 60), a->text.p, run->model->name);
			return;
		}
		if (arity == NOTHING || a->text.p[0] == '+' || i + 1 >= run->argc)
			continue;
		i++;
		if (!run->argv[i].is_static || bytes_char(run->argv[i].text, '@'))
			run_open(run, "a value of %s may be read from a file", run->model->name);
	}
}

MODEL(magick) = { .name = "magick", .reader = magick_reader };
MODEL(convert) = { .name = "convert", .reader = magick_reader };
MODEL(identify) = { .name = "identify", .reader = magick_reader };
MODEL(mogrify) = { .name = "mogrify", .reader = magick_reader };

/* exiftool -TAG=VALUE writes; -if, -p with code, -config and -execute take Perl (exiftool's own manual). */
static void exiftool_command(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (bytes_start(run->argv[i].text, "-") &&
			(bytes_char(run->argv[i].text, '=') || bytes_char(run->argv[i].text, '<')))
			run_open(run, "exiftool changes the tags of files");
}

MODEL(exiftool) = {
	.name = "exiftool",
	.syntax = ONE_DASH | PARTIAL,
	.special = exiftool_command,
	.longs = "a G G1 s S j json csv n ee r q b e common u U t T h l g g1 sort fast fast2 ImageSize FileType "
		 "MIMEType CreateDate DateTimeOriginal Duration GPSPosition Model Make Orientation all",
	.rules = READS,
};
MODEL(pdfinfo) = {
	.name = "pdfinfo",
	.syntax = ONE_DASH,
	.longs = "f= l= box meta custom js struct struct-text url isodates rawdates dests enc= listenc opw= upw= v",
	.rules = READS,
};
MODEL(pdffonts) = { .name = "pdffonts",
	.syntax = ONE_DASH,
	.longs = "f= l= subst opw= upw= v",
	.rules = READS };

static void pdf_pages(struct run *run)
{
	if (run->n_operands > 1)
		run_effect(run, EFFECT_CREATE, &run->operands[1]);
}

/* The second name is the beginning of those that are made. */
MODEL(pdftoppm) = {
	.name = "pdftoppm",
	.syntax = ONE_DASH,
	.longs = "f= l= o e r= rx= ry= scale-to= scale-to-x= scale-to-y= x= y= W= H= sz= cropbox mono gray sep= "
		 "forcenum png jpeg jpegcdr jpegopt= tiff tiffcompression= hide-annotations aa= aaVector= opw= "
		 "upw= q singlefile",
	.rules = RULES{ { FIRST, EFFECT_READ }, { END } },
	.special = pdf_pages,
};

/* pandoc: filters and Lua are code, --pdf-engine a program, an address an input (pandoc(1)). */
static void pandoc_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (bytes_find(run->operands[i].text, "://"))
			run_effect(run, EFFECT_FETCH, &run->operands[i]);
		else
			run_effect(run, EFFECT_READ, &run->operands[i]);
}

static void pandoc_format(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || bytes_char(value->text, '.') || bytes_char(value->text, '/') ||
		in_list(value->text, "pdf latex beamer context"))
		run_open(run, "a format of pandoc may run a program");
}

MODEL(pandoc) = {
	.name = "pandoc",
	.syntax = PARTIAL,
	.shorts = "sNM:V:iv",
	.longs = "standalone toc toc-depth= number-sections wrap= columns= metadata= variable= quiet verbose eol= "
		 "dpi= shift-heading-level-by= highlight-style= no-highlight list-input-formats "
		 "list-output-formats tab-stop= preserve-tabs ascii reference-links markdown-headings= "
		 "section-divs katex mathml mathjax?= strip-comments track-changes=",
	.options = OPTIONS{ { "ftrw", "from to read write", REQUIRED, CALL },
		{ "o", "output log", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "extract-media", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
		{ "cHBA", "css include-in-header include-before-body include-after-body metadata-file bibliography "
			  "csl reference-doc template",
			REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
		{ 0 } },
	.option = pandoc_format,
	.special = pandoc_command,
	.input = STDIN_READ,
};
/* IMAGE BASE: what is made is called BASE.txt; stdout and - print it. */
static void tesseract_command(struct run *run)
{
	if (run->n_operands > 1 && !arg_is(&run->operands[1], "stdout") && !arg_is(&run->operands[1], "-"))
		run_effect(run, EFFECT_CREATE, &run->operands[1]);
}

MODEL(tesseract) = {
	.name = "tesseract",
	.syntax = PARTIAL,
	.shorts = "l:",
	.longs = "psm= oem= dpi= list-langs",
	.rules = RULES{ { FIRST, EFFECT_READ }, { END } },
	.special = tesseract_command,
};
MODEL(cwebp) = {
	.name = "cwebp",
	.syntax = ONE_DASH | PARTIAL,
	.longs = "q= lossless quiet m= resize= alpha_q= preset= mt metadata= short",
	.options = OPTIONS{ { NULL, "o", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = READS,
};
/* dot -Tpng in.dot -o out.png: -O names the output after the input. */
MODEL(dot) = {
	.name = "dot",
	.syntax = NO_LONG | PARTIAL,
	.shorts = "T:K:G:N:E:s:vq:xyV",
	.options = OPTIONS{ { "o", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "O", NULL, NOTHING, EFFECT_FIXED, EFFECT_CREATE, .text = "." }, { 0 } },
	.rules = READS,
	.input = STDIN_READ,
};
