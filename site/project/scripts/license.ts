import { type ApiResult, apiFetch } from '../../browser/api-client.ts';

interface License {
  title: string;
  body: string;
}

/** Opens the license text, fetched on first use. Source: specification §8. */
const link = document.querySelector<HTMLAnchorElement>('[data-license]');
const terms = document.querySelector<HTMLElement>('[data-terms]');
const dialog = terms?.closest('dialog');

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.dir = 'auto';
  return made;
}

const visible = (answer: ApiResult<License>): HTMLElement[] =>
  answer.ok
    ? [element('h3', answer.data.title), element('pre', answer.data.body)]
    : [element('p', terms!.dataset.failed!)];

async function load(ids: string[]): Promise<void> {
  const answers = await Promise.all(ids.map((id) => apiFetch('GET /v2/tag/license/{id}', { path: { id } })));
  terms!.replaceChildren(...answers.flatMap(visible));
  // a failed request is tried again the next time
  if (answers.every(({ ok }) => ok)) terms!.dataset.loaded = '';
}

if (link && dialog && terms) {
  const { license } = link.dataset;
  link.role = 'button';
  link.setAttribute('aria-haspopup', 'dialog');
  link.tabIndex = 0;
  terms.tabIndex = 0; // focus for keyboard scrolling
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    dialog.showModal();
    if (terms.dataset.loaded === undefined) void load(JSON.parse(license!) as string[]);
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    link.click();
  });
}
