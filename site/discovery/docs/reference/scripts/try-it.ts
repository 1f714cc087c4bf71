import { requestFrom } from '../../../../platform/browser/api-client.ts';

/** Longest answer that is shown; the rest is cut off. */
const max_characters = 20_000;

/** Makes the forms of the reference send their request to this site and show what it answers. */
export function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-try]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
    form.querySelector('button')!.disabled = false;
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const status = form.querySelector<HTMLElement>('[data-status]')!;
  const shown = form.querySelector<HTMLElement>('[data-answer]')!;
  form.ariaBusy = 'true';
  const begun = performance.now();
  const answer = await requestFrom(addressOf(form), { credentials: 'omit' });
  const text = answer ? await answer.text().catch(() => '') : '';
  const took_ms = Math.round(performance.now() - begun);
  form.ariaBusy = null;
  status.textContent = answer
    ? form.dataset.answered!.replace('{status}', String(answer.status)).replace('{time}', String(took_ms))
    : form.dataset.failed!;
  const code = shown.firstElementChild as HTMLElement;
  code.textContent = indented(text).slice(0, max_characters);
  code.tabIndex = 0; // for scrolling with the keyboard
  shown.hidden = text === '';
}

/** The path of the form with its fields filled in; empty ones of the query are left out. */
function addressOf(form: HTMLFormElement): string {
  let path = form.dataset.try!;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of form.querySelectorAll('input'))
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (value.trim() !== '') query.set(name, value.trim());
  return query.size > 0 ? `${path}?${query}` : path;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
