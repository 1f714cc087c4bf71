import { Refused } from '#db/platform/errors.ts';
import { whyTooMuchJson } from '#db/platform/runtime/json-bounds.ts';

/** A version with 4,096 dependencies has 17,000. Fields without number take the shapes most of a second. */
const max_fields = 25_000;

/** The longest of our forms has some hundred. */
const max_form_fields = 2_000;

/** The fields of a form that a browser sent, 2,000 at most. Refuses `invalid_input`. */
export function boundedForm(text: string): Record<string, string> {
  if (text.split('&', max_form_fields + 1).length > max_form_fields)
    throw new Refused('invalid_input', { problem: `the form has more than ${max_form_fields} fields` });
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * JSON of a client, parsed, with at most 64 levels and 25,000 fields; `what` names it in refusals, such as `the body`. Refuses
 * `invalid_input`.
 */
export function boundedJson(text: string, what: string): unknown {
  const problem = whyTooMuchJson(text, max_fields);
  if (problem) throw new Refused('invalid_input', { problem: `${what} ${problem}` });
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('invalid_input', { problem: `${what} is not valid JSON` });
  }
}
