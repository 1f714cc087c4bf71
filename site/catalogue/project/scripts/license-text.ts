import { type ApiResult, apiFetch } from '../../../platform/browser/api-client.ts';

interface License {
  title: string;
  body: string;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.dir = 'auto';
  return made;
}

const visible = (answer: ApiResult<License>, failed: string): HTMLElement[] =>
  answer.ok ? [element('h3', answer.data.title), element('pre', answer.data.body)] : [element('p', failed)];

/** Fills in the texts of these licenses. Source: specification §8. */
export async function showLicenses(terms: HTMLElement, ids: readonly string[]): Promise<void> {
  const answers = await Promise.all(ids.map((id) => apiFetch('GET /v2/tag/license/{id}', { path: { id } })));
  terms.replaceChildren(...answers.flatMap((answer) => visible(answer, terms.dataset.failed!)));
  // a failed request is tried again the next time
  if (answers.every(({ ok }) => ok)) terms.dataset.loaded = '';
}
