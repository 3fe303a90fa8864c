/* SPDX-License-Identifier: Apache-2.0 */
/* The decision service's answer, read to the letter (System One API 0.2.0): what is missing or odd is no answer. */
#include "worker/judge/reply.h"

#include <json-c/json.h>
#include <math.h>

#include "policy/text/json_strict.h"

/* Servers round to two decimals: a distribution may miss 1 by this, and a choice its maximum. */
static const double rounding = 0.02;

static struct bytes say(const char *text)
{
	return (struct bytes){ text, strlen(text) };
}

/* A probability: a JSON number from 0 to 1. Not a string, not a truth value. */
static bool unit(struct json_object *o, const char *name, double *ret)
{
	struct json_object *v;
	double d;

	if (!json_object_object_get_ex(o, name, &v) ||
		(!json_object_is_type(v, json_type_double) && !json_object_is_type(v, json_type_int)))
		return false;
	d = json_object_get_double(v);
	if (!isfinite(d) || d < 0.0 || d > 1.0)
		return false;
	*ret = d;
	return true;
}

static uint32_t millionths(double d)
{
	return (uint32_t)(d * MILLION + 0.5);
}

static bool is_type(struct json_object *answer, const char *type)
{
	return bytes_is(json_member_string(answer, "type"), type);
}

/* Every label, no other, and together one. */
static bool probabilities(struct json_object *answer, double ret[CHOICES])
{
	struct json_object *p = json_member(answer, "probabilities", json_type_object);
	double sum = 0.0;

	if (p == NULL || json_object_object_length(p) != CHOICES)
		return false;
	for (size_t i = 0; i < CHOICES; i++) {
		if (!unit(p, verdict_labels[i], &ret[i]))
			return false;
		sum += ret[i];
	}
	return fabs(sum - 1.0) <= rounding + 1e-9;
}

/* What is wrong with the verdict, or NULL. */
static const char *read_verdict(struct json_object *answer, struct judgement *j)
{
	double p[CHOICES], confidence;
	struct bytes choice;

	if (answer == NULL || !is_type(answer, "choice"))
		return "it gives no verdict";
	choice = json_member_string(answer, "choice");
	j->allow = bytes_is(choice, verdict_labels[0]);
	if (!j->allow && !bytes_is(choice, verdict_labels[1]))
		return "its verdict is none of those asked for";
	if (!unit(answer, "confidence", &confidence))
		return "it does not say how sure it is";
	if (!probabilities(answer, p))
		return "its probabilities are none";
	if (p[j->allow ? 0 : 1] + rounding + 1e-9 < p[j->allow ? 1 : 0])
		return "its verdict contradicts its probabilities";
	j->confidence = millionths(confidence);
	j->p_allow = millionths(p[0]);
	return NULL;
}

/* What is wrong with them, or nothing. */
static struct bytes read_answers(struct json_object *root, struct judgement *j)
{
	struct json_object *answers = json_member(root, "answers", json_type_object);
	const char *wrong;

	if (answers == NULL)
		return BYTES("it holds no answers");
	wrong = read_verdict(json_member(answers, verdict_question, json_type_object), j);
	for (size_t i = 0; i < RISKS && wrong == NULL; i++) {
		struct json_object *a = json_member(answers, risk_questions[i].name, json_type_object);
		double d;

		if (a == NULL || !is_type(a, "noul") || !unit(a, "noul", &d))
			wrong = "it leaves a question open";
		else
			j->risks[i] = millionths(d);
	}
	return wrong != NULL ? say(wrong) : (struct bytes){ 0 };
}

int jev_reply_read(struct arena *arena, struct bytes body, struct judgement *ret)
{
	CLEANUP(json_putp) struct json_object *root = NULL;
	struct judgement j = { .has_risks = true };
	struct bytes wrong;
	int rc = reply_open(body, &root, &wrong);

	if (rc < 0)
		return rc;
	if (wrong.len == 0)
		wrong = read_answers(root, &j);
	if (wrong.len > 0) {
		rc = reply_why(arena, root, &wrong);
		*ret = (struct judgement){ .state = JUDGEMENT_UNUSABLE, .text = wrong };
		return rc;
	}
	j.state = JUDGEMENT_READ;
	j.input_tokens = reply_count(root, "input_tokens");
	j.output_tokens = reply_count(root, "output_tokens");
	rc = reply_text(arena, root, "model", &j.model);
	*ret = j;
	return rc;
}
