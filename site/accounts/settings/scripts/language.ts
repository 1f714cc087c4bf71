import { requestFrom } from '../../../platform/browser/api-client.ts';
import { cookieIn, persistentCookie, setCookie } from '../../../platform/cosmetics/cookie-text.ts';
import { isFound } from '../language-list.ts';

/**
 * Choosing a language: the search box filters, arrow keys move, and Enter, Space or a click apply. A page in the new
 * language is fetched first; only on success the tag is stored (or deleted, for automatic) and the page replaced.
 * Source: specification §4 (Language resolution), §8; screens §A.7.
 */
const form = document.querySelector<HTMLFormElement>('[data-languages]');
const choices = [...(form?.querySelectorAll<HTMLButtonElement>('[data-language]') ?? [])];
const status_line = form?.querySelector<HTMLElement>('[data-said]');
const alertText = form?.querySelector<HTMLElement>('[data-alert]');
/** The choice, for the next page: it announces it and restores the focus. */
const note = 'language-chosen';

const tagOf = (choice: HTMLElement): string => choice.dataset.language ?? '';
const visibleChoices = () => choices.filter(({ hidden }) => !hidden);

function mark(tag: string): void {
  for (const choice of choices) choice.setAttribute('aria-checked', String(tagOf(choice) === tag));
  reachable(choices.find((choice) => tagOf(choice) === tag) ?? choices[0]!);
}

/** Makes one option tabbable, the others reachable by arrow keys (roving tabindex). */
function reachable(one: HTMLElement): void {
  for (const choice of choices) choice.tabIndex = choice === one ? 0 : -1;
}

function find(typed: string): void {
  for (const choice of choices)
    choice.hidden = tagOf(choice) ? !isFound(typed, choice.dataset.searchText ?? '') : typed.trim() !== '';
  for (const group of form!.querySelectorAll<HTMLElement>('[data-group]'))
    group.hidden = !group.querySelector('[data-language]:not([hidden])');
  const found = visibleChoices();
  const checked = found.find((choice) => choice.getAttribute('aria-checked') === 'true') ?? found[0];
  if (checked) reachable(checked);
  form!.querySelector<HTMLElement>('[data-none]')!.hidden = found.length > 0;
  const counts = JSON.parse(form!.dataset.counts ?? '[]') as string[];
  status_line!.textContent = typed.trim() ? (counts[found.length] ?? '') : '';
}

function step(from: HTMLElement, key: string): HTMLElement | undefined {
  const displayed = visibleChoices();
  const at = displayed.indexOf(from as HTMLButtonElement);
  const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  if (key === 'Home') return displayed[0];
  if (key === 'End') return displayed.at(-1);
  if (key === 'ArrowUp' || key === back) return displayed.at(at - 1);
  return key.startsWith('Arrow') ? (displayed[at + 1] ?? displayed[0]) : undefined;
}

async function apply(choice: HTMLElement): Promise<void> {
  if (form!.querySelector('[aria-busy]')) return;
  for (const one of choices) one.removeAttribute('data-failed');
  choice.setAttribute('aria-busy', 'true');
  alertText!.textContent = '';
  const tag = tagOf(choice);
  const restored = await requestFrom(tag ? `${location.pathname}?hl=${tag}` : location.pathname)
    .then(async (answer) => answer?.ok && (await answer.text()).length > 0)
    .catch(() => false);
  choice.removeAttribute('aria-busy');
  if (!restored) {
    choice.setAttribute('data-failed', '');
    alertText!.textContent = choice.querySelector('[data-when=failed]')!.textContent;
    return;
  }
  setCookie(persistentCookie('locale', tag, 'strict'));
  sessionStorage.setItem(note, choice.querySelector('.name')!.textContent);
  location.replace(location.pathname);
}

/** After a change: announces it and restores the focus. */
function restore(): void {
  const language = sessionStorage.getItem(note);
  sessionStorage.removeItem(note);
  if (!language) return;
  choices.find((choice) => choice.getAttribute('aria-checked') === 'true')?.focus();
  status_line!.textContent = (form!.dataset.changed ?? '').replace('{language}', language);
}

if (form && choices.length > 0) {
  mark(form.dataset.named ?? onSaved());
  const box = form.querySelector<HTMLInputElement>('[type=search]')!;
  for (const part of form.querySelectorAll<HTMLElement>('[data-needs-scripts]')) part.hidden = false;
  box.addEventListener('input', () => find(box.value));
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault(); // Enter would press the first submit button
    visibleChoices()[0]?.focus();
  });
  form.addEventListener('keydown', (event) => {
    const choice = (event.target as HTMLElement).closest<HTMLElement>('[data-language]');
    const next = choice && step(choice, event.key);
    if (!next) return;
    event.preventDefault();
    reachable(next);
    next.focus();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const choice = event.submitter?.closest<HTMLElement>('[data-language]');
    if (choice) void apply(choice);
  });
  form.dataset.ready = '';
  restore();
}

function onSaved(): string {
  const tag = (cookieIn(document.cookie, 'locale') ?? '').toLowerCase();
  return choices.map(tagOf).find((known) => known.toLowerCase() === tag) ?? '';
}
