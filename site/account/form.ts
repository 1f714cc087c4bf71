import { apiFetch } from '../browser/api-client.ts';
import { rememberUser } from '../browser/current-user.store.ts';
import type { FormProblem } from './refusals.ts';

/** Submits the sign-in and sign-up forms by script, so that the fields keep their values on an error. */
const form = document.querySelector<HTMLFormElement>('[data-account-form]');

function show(form: HTMLFormElement, problem: FormProblem | null): void {
  const general = form.querySelector<HTMLElement>('[data-general]')!;
  general.hidden = problem === null || problem.field !== null;
  general.querySelector('[data-general-text]')!.textContent = problem?.text ?? '';
  for (const note of form.querySelectorAll<HTMLElement>('[data-wrong]')) {
    const field = form.elements.namedItem(note.dataset.wrong!) as HTMLInputElement;
    const wrong = problem?.field === field.name;
    note.textContent = wrong ? problem.text : '';
    if (wrong) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
    if (wrong) field.focus();
  }
}

// a page restored from the back/forward cache would keep the disabled button
addEventListener('pageshow', ({ persisted }) => {
  const button = form?.querySelector<HTMLButtonElement>('[type=submit]');
  if (persisted && button) button.disabled = false;
});
form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  const texts = JSON.parse(form.dataset.accountForm!) as Record<string, FormProblem>;
  const fields = Object.fromEntries(new FormData(form));
  button.disabled = true;
  const answer = await apiFetch(form.action, { method: 'POST', json: fields });
  show(form, answer.ok ? null : (texts[answer.error.code] ?? texts.other!));
  // the next page does not show the sign-in link
  if (answer.ok) rememberUser({ username: '', avatar_url: null });
  if (answer.ok) return location.assign(typeof fields.redirect === 'string' ? fields.redirect : '/');
  button.disabled = false;
});
