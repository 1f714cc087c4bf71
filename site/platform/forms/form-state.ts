import { describedBy } from '../ui/field-ids.ts';
import { submittedForm } from './form-cookie.ts';
import { errorOfCode, type FormDefinition, type FormError } from './form-definition.ts';

/** How a form stands on a page: where it goes, what was wrong, what was typed. */
export interface FormState {
  action: string;
  /** In the order of the page. */
  errors: FormError[];
  values: Record<string, string>;
  /** Whether it was sent and refused. */
  refused: boolean;
}

/** The `error` of an address that somebody comes back to after they resolved why a form was refused. */
export const resumed = 'resumed';

interface FormPage {
  url: URL;
  request: Request;
  locals: Pick<App.Locals, 't' | 'services' | 'isPrivate'>;
}

/** The state of `form` on a page that a plain form may have been led back to, with `?error=code`. */
export function formState({ url, request, locals }: FormPage, form: FormDefinition): FormState {
  const { action } = form;
  const code = url.searchParams.get('error');
  if (code === null) return { action, errors: [], values: {}, refused: false };
  locals.isPrivate = true; // what somebody typed
  const { SITE_URL } = locals.services.settings;
  const submitted = submittedForm(request, SITE_URL);
  // what it was refused for is resolved since: what was typed is there again, and nothing is wrong with it
  if (code === 'proof_required' || code === resumed)
    return {
      action,
      errors: [],
      values: submitted?.action === action ? submitted.values : {},
      refused: false,
    };
  // the address alone does not say which form of a page it was
  if (!submitted) return { action, errors: [errorOfCode(form, code, locals.t)], values: {}, refused: true };
  if (submitted.action !== action) return { action, errors: [], values: {}, refused: false };
  return { action, errors: submitted.errors, values: submitted.values, refused: true };
}

/** What is wrong with a field; null when nothing is. */
export const errorOf = ({ errors }: FormState, field: string | null): string | null =>
  errors.find((error) => error.field === field)?.text ?? null;

/** What a control needs to be the field `name` of a form, besides its value. The first wrong one gets the focus. */
export const fieldProps = (form: FormState, name: string) => ({
  id: name,
  name,
  'aria-invalid': errorOf(form, name) === null ? undefined : ('true' as const),
  'aria-describedby': describedBy(name),
  autofocus: form.errors.find(({ field }) => field !== null)?.field === name || undefined,
});

/**
 * What the fields of `form` were before it was taken (`FormResult.previous`), on the page that it then led to with
 * `?saved=1`; null when there is nothing to undo.
 */
export function savedForm(
  { url, request, locals }: FormPage,
  form: FormDefinition,
): Record<string, string> | null {
  if (url.searchParams.get('saved') !== '1') return null;
  locals.isPrivate = true;
  const submitted = submittedForm(request, locals.services.settings.SITE_URL);
  const taken = submitted?.action === form.action && submitted.errors.length === 0;
  return taken && Object.keys(submitted.values).length > 0 ? submitted.values : null;
}
