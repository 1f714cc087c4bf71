import { apiFetch } from '../../browser/api-client.ts';

/** Asks how strong a typed password is, a moment after each change, and shows score and advice below its field. */
const pause_ms = 350;

function start(meter: HTMLElement): void {
  const form = meter.closest('form')!;
  const typedIn = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '';
  const advice = meter.querySelector<HTMLElement>('[data-advice]')!;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;

  async function rate(): Promise<void> {
    const json = {
      password: typedIn(meter.dataset.strength!),
      username: typedIn('username'),
      email: typedIn('email'),
    };
    if (json.password === '') {
      meter.hidden = true;
      return;
    }
    asked = new AbortController();
    const { signal } = asked;
    const result = await apiFetch('POST /_internal/auth/password-strength', {
      json,
      signal,
    });
    if (signal.aborted) return;
    meter.hidden = !result.ok; // without an answer the form still says what is wrong
    if (!result.ok) return;
    meter.dataset.score = String(result.data.score);
    advice.textContent = result.data.text;
    sayOnce();
  }

  /** What is wrong with the field may say the same already. */
  function sayOnce(): void {
    const said = form.querySelector(`[data-wrong="${meter.dataset.strength}"]`)?.textContent;
    if (advice.textContent === said) advice.textContent = '';
  }
  form.addEventListener('form:refused', sayOnce);

  form.addEventListener('input', ({ target }) => {
    if ((target as HTMLInputElement).name !== meter.dataset.strength) return;
    asked?.abort();
    clearTimeout(timer);
    timer = setTimeout(rate, pause_ms);
  });
}

for (const meter of document.querySelectorAll<HTMLElement>('[data-strength]')) start(meter);
