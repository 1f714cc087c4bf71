import { apiFetch } from '../browser/api-client.ts';
import { rememberUser } from '../browser/current-user.store.ts';
import type { FormProblem } from './refusals.ts';

/** Sends the forms for signing in and up by script, so that what was written stays when something is wrong. */
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

// a browser may bring the page back as it was left: with its button off
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
  if (answer.ok) rememberUser({ username: '', avatar_url: null }); // the page that follows offers no sign-in
  if (answer.ok) return location.assign(typeof fields.redirect === 'string' ? fields.redirect : '/');
  button.disabled = false;
});
