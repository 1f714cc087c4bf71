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
  try {
    const answer = await fetch(`/v2/search?${new URLSearchParams({ query, limit: '5' })}`, { signal });
    const { hits } = (await answer.json()) as { hits?: Array<Record<string, unknown>> };
    if (signal.aborted) return;
    list.replaceChildren(...(hits ?? []).map((hit) => line(slim(hit))));
    list.hidden = !hits?.length;
  } catch {
    // given up for a newer question, or no answer: Enter still works
  }
});
form?.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && list) list.hidden = true;
});
