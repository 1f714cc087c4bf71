import { apiFetch } from '../../../platform/browser/api-client.ts';

/** Offers names of users while one is typed (`data-suggest-users`), from the list that the field names. */
const pause_ms = 200;

function start(field: HTMLInputElement): void {
  let pending: AbortController | null = null;
  let timer = 0;

  async function ask(): Promise<void> {
    pending?.abort();
    pending = new AbortController();
    const query = field.value.trim();
    if (query === '') return void field.list?.replaceChildren();
    const { signal } = pending;
    const found = await apiFetch('GET /v3/users/search', { query: { query }, signal });
    if (!found.ok || signal.aborted) return;
    const options = found.data.slice(0, 8).map(({ username }) => new Option(username, username));
    field.list?.replaceChildren(...options);
  }

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, pause_ms);
  });
}

for (const field of document.querySelectorAll<HTMLInputElement>('[data-suggest-users]')) start(field);
