import { call } from '../api/client.ts';
import { type Hit, hitPath, slim } from '../search/hit.ts';

/** The search box of the home page shows the first five while one types; Enter leads to the whole screen. */
const form = document.querySelector<HTMLFormElement>('[data-live-search]');
const list = form?.querySelector<HTMLElement>('[data-live-hits]');
const hl = new URLSearchParams(location.search).get('hl');
let asking: AbortController | null = null;

function line(hit: Hit): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = hitPath(hit) + (hl ? `?hl=${encodeURIComponent(hl)}` : '');
  const name = document.createElement('bdi');
  name.className = 'name';
  name.textContent = hit.title;
  const text = document.createElement('bdi');
  text.className = 'meta clip';
  text.textContent = hit.description;
  if (hit.icon_url) {
    const picture = document.createElement('img');
    picture.className = 'pic';
    picture.src = hit.icon_url;
    picture.alt = '';
    link.append(picture);
  }
  link.append(name, ' ', text);
  item.append(link);
  return item;
}

form?.addEventListener('input', async (event) => {
  asking?.abort();
  if (!list) return;
  const query = (event.target as HTMLInputElement).value.trim();
  if (query === '') {
    list.hidden = true;
    return;
  }
  asking = new AbortController();
  const { signal } = asking;
  const path = `/v2/search?${new URLSearchParams({ query, limit: '5' })}`;
  const answer = await call<{ hits: Array<Record<string, unknown>> }>(path, { signal });
  if (signal.aborted || !answer.ok) return; // given up for a newer question, or no answer: Enter still works
  list.replaceChildren(...answer.data.hits.map((hit) => line(slim(hit))));
  list.hidden = answer.data.hits.length === 0;
});
form?.addEventListener('focusout', ({ relatedTarget }) => {
  if (list && relatedTarget instanceof Node && !form.contains(relatedTarget)) list.hidden = true;
});
document.addEventListener('click', ({ target }) => {
  if (list && !form?.contains(target as Node)) list.hidden = true;
});
form?.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && list) list.hidden = true;
});
