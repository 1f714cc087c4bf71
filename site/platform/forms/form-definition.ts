import type { z } from 'zod';
import type { MessageKey, Translate, Values } from '#content/messages.ts';
import type { RefusalStep } from '#content/refusal-steps.ts';
import type { RefusalCode, Refused } from '#db/platform/errors.ts';

/** Where a refusal belongs: a field, words of its own in place of `error.<code>`, or both. */
type RefusalPlace = string | { field?: string; text?: MessageKey };

/** A form of our own pages, said once for the route that takes it and the page that shows it. */
export interface FormDefinition<S extends z.ZodType = z.ZodType> {
  /** Where it is sent: a path of ours. */
  action: string;
  shape: S;
  /** What people fill in, in the order of the page. What is wrong elsewhere is said about the form as a whole. */
  fields: readonly string[];
  /** Those of them that no browser keeps when the form is led back; passwords never are. */
  secret?: readonly string[];
  /** Fields of a stricter shape that are filled in under another name: `targets` under `server_ids`. */
  aliases?: Readonly<Record<string, string>>;
  /** What is said of a field that the shape does not take, where `form.invalid` says too little. */
  invalid?: Readonly<Record<string, MessageKey>>;
  /** The places of refusals; one that is not named here is about the form as a whole. */
  errors: Partial<Record<RefusalCode, RefusalPlace>>;
}

/** What is wrong with one field, or with the form as a whole (null), in words. */
export interface FormError {
  field: string | null;
  text: string;
  /** Of the form as a whole: where it is resolved, as a button. */
  step?: RefusalStep | undefined;
}

/** Keeps the type of the shape. */
export const defineForm = <S extends z.ZodType>(form: FormDefinition<S>): FormDefinition<S> => form;

/**
 * What a refusal says in a form: one error for each of its `reasons` (several codes refused at once), in the order of
 * the page. A refusal may name its field in `data.field`.
 */
export function errorsOfRefusal(form: FormDefinition, refused: Refused, t: Translate): FormError[] {
  const { reasons = [refused.code], field = null } = refused.data as {
    reasons?: RefusalCode[];
    field?: string | null;
  };
  return inOrder(
    form,
    reasons.map((code) => errorOfCode(form, code, t, { field, values: refused.data as Values })),
  );
}

/** What a refusal code says in a form, and where; a code that is none says that it did not work. */
export function errorOfCode(
  form: FormDefinition,
  code: string,
  t: Translate,
  { field = null, values = {} }: { field?: string | null; values?: Values } = {},
): FormError {
  const known = Object.hasOwn(form.errors, code) ? form.errors[code as RefusalCode]! : {};
  const place = typeof known === 'string' ? { field: known } : known;
  const key = place.text ?? (code === 'invalid_input' ? 'form.invalid' : (`error.${code}` as MessageKey));
  const text = t(key, values);
  return {
    field: place.field ?? field,
    // a code from an address may be none, and its text may need values that are not there
    text: text === key || text.includes('{') ? t('form.failed') : text,
  };
}

/** What is wrong with the fields by the shape, one error a field. */
export function errorsOfShape(form: FormDefinition, { issues }: z.ZodError, t: Translate): FormError[] {
  const errors = issues.map((issue) => ({
    field: String(issue.path[0] ?? ''),
    text: t(...textOf(form, issue as z.core.$ZodIssue)),
  }));
  const first = errors.filter(({ field }, i) => errors.findIndex((one) => one.field === field) === i);
  return inOrder(form, first);
}

function textOf({ invalid = {} }: FormDefinition, issue: z.core.$ZodIssue): [MessageKey, Values?] {
  const field = String(issue.path[0] ?? '');
  const own = Object.hasOwn(invalid, field) ? invalid[field]! : null;
  if (issue.code === 'custom' && issue.params?.length !== undefined)
    return own ? [own] : lengthText(issue.params);
  if (issue.code === 'too_big' && issue.origin === 'string')
    return ['form.too_long', { maximum: Number(issue.maximum) }];
  if (issue.code === 'too_small' && issue.origin === 'string')
    return Number(issue.minimum) > 1
      ? ['form.too_short', { minimum: Number(issue.minimum) }]
      : ['form.required'];
  if (issue.code === 'invalid_type') return ['form.required'];
  return [own ?? 'form.invalid'];
}

/** What is said of a text of a wrong length (`boundedText`). */
function lengthText(params: Record<string, unknown>): [MessageKey, Values?] {
  const [minimum, maximum] = [Number(params.minimum), Number(params.maximum)];
  if (params.length === 0) return ['form.required'];
  return minimum > 1 ? ['form.length', { minimum, maximum }] : ['form.too_long', { maximum }];
}

/** In the order of the page; what is wrong with no field of it stands first, once. */
function inOrder({ fields, aliases = {} }: FormDefinition, errors: FormError[]): FormError[] {
  const placed = errors.map(({ field, ...error }) => {
    const name = field !== null && Object.hasOwn(aliases, field) ? aliases[field]! : field;
    return { field: name !== null && fields.includes(name) ? name : null, ...error };
  });
  const general = placed.find(({ field }) => field === null);
  const named = placed
    .filter(({ field }) => field !== null)
    .sort((a, b) => fields.indexOf(a.field!) - fields.indexOf(b.field!));
  return general ? [general, ...named] : named;
}
