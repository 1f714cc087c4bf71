import { type ApiError, sendTo } from '../../browser/api-client.ts';
import { mutate } from '../../browser/mutate.ts';
import type { FormError } from '../form-definition.ts';
import { isThisPage } from './this-page.ts';

/**
 * Sends every form of `Form.astro` by script: the page stays, what is wrong is said in place, and the first wrong field
 * gets the focus. Answers say where they lead. A form that was taken dispatches `form:sent` with the answer first, one
 * that was not `form:refused` with the error, and `form:leaves` before the page is left to correct it elsewhere; one
 * that led back to this page `form:saved`, on all forms of it, once they show what was saved. A form
 * that only asks for another page goes there by itself, unless offline.
 */
interface Texts {
  offline: string;
  failed: string;
}

function errorsOf(error: ApiError, texts: Texts): FormError[] {
  const { fields } = error.details as { fields?: FormError[] };
  if (fields?.length) return fields;
  return [{ field: null, text: error.code === 'offline' ? texts.offline : texts.failed }];
}

function show(form: HTMLFormElement, errors: FormError[]): void {
  const left = new Map(errors.map((error) => [error.field, error]));
  let first: HTMLElement | null = null;
  for (const note of form.querySelectorAll<HTMLElement>('[data-wrong]')) {
    const name = note.dataset.wrong!;
    const control = form.querySelector<HTMLElement>(`[name="${name}"]`);
    note.textContent = left.get(name)?.text ?? '';
    if (left.delete(name)) {
      control?.setAttribute('aria-invalid', 'true');
      first ??= control;
    } else control?.removeAttribute('aria-invalid');
  }
  const summary = form.querySelector<HTMLElement>('[data-form-error]')!;
  const [general] = left.values();
  summary.querySelector('b')!.textContent = general?.text ?? '';
  summary.hidden = !general;
  const step = summary.querySelector<HTMLAnchorElement>('[data-step]')!;
  step.hidden = !general?.step;
  step.href = general?.step?.to ?? '';
  step.textContent = general?.step?.text ?? '';
  if (errors.length > 0) (first ?? summary).focus();
}

/** What is wrong with fields that repeat another one (`data-same`): no request is needed to see it. */
const differing = (form: HTMLFormElement): FormError[] =>
  [...form.querySelectorAll<HTMLInputElement>('[data-same]')]
    .filter(
      (field) =>
        field.value !== form.querySelector<HTMLInputElement>(`[name="${field.dataset.same}"]`)?.value,
    )
    .map((field) => ({ field: field.name, text: field.dataset.differs! }));

/** Marks the buttons of a form that is under way; it cannot be sent twice meanwhile. */
function setBusy(form: HTMLFormElement, busy: boolean): void {
  for (const part of [form, ...form.querySelectorAll('[type=submit]')]) part.ariaBusy = busy ? 'true' : null;
}

function start(form: HTMLFormElement): void {
  const texts = JSON.parse(form.dataset.form!) as Texts;
  // a browser may bring the page back as it was left
  addEventListener('pageshow', ({ persisted }) => persisted && setBusy(form, false));
  // what was wrong with a field says nothing of what is typed now
  form.addEventListener('input', ({ target }) => {
    const { name } = target as HTMLInputElement;
    const note = form.querySelector(`[data-wrong="${CSS.escape(name ?? '')}"]`);
    if (!note?.textContent) return;
    note.textContent = '';
    (target as HTMLElement).removeAttribute('aria-invalid');
  });
  form.addEventListener('submit', async (event) => {
    if (form.method === 'get') {
      // the page would be lost for one of the browser; what was chosen stays
      if (navigator.onLine) return show(form, []);
      event.preventDefault();
      return show(form, [{ field: null, text: texts.offline }]);
    }
    event.preventDefault();
    if (form.ariaBusy) return;
    const differ = differing(form);
    if (differ.length > 0) return show(form, differ);
    setBusy(form, true);
    const json = Object.fromEntries(new FormData(form, event.submitter));
    const result = await mutate({
      send: () => sendTo<{ to: string }>(form.getAttribute('action')!, { method: 'POST', json }),
      refresh(data) {
        form.dispatchEvent(new CustomEvent('form:sent', { bubbles: true, detail: data }));
        show(form, []);
      },
      shows_step: true,
      redirect: ({ to }) => (isThisPage(to) ? null : to),
      refused(error) {
        const { to } = error.details;
        if (typeof to === 'string') {
          form.dispatchEvent(new CustomEvent('form:leaves', { bubbles: true }));
          location.assign(to);
        } else show(form, errorsOf(error, texts));
        return true;
      },
    });
    if (!result.ok)
      form.dispatchEvent(new CustomEvent('form:refused', { bubbles: true, detail: result.error }));
    const isHere = result.ok && isThisPage(result.data.to);
    // what only a form that leads back to its page needs
    if (isHere) await (await import('./save-in-place.ts')).saveInPlace(form, result.data.to, json);
    if (!result.ok || isHere || form.dataset.stays !== undefined) setBusy(form, false);
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-form]')) start(form);
