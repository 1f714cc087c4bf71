import { type LinkedPart, linkedParts } from '../../../platform/text/linked.ts';

/** A live preview of the notice being written. */
const written = document.querySelector<HTMLFormElement>('.notice-form');
const renderedAs = document.querySelector<HTMLElement>('[data-preview]');
const tonesOf: Record<string, string> = { info: 'note', warn: 'warn', critical: 'bad', survey: '' };

function showNotice(): void {
  if (!written || !renderedAs) return;
  const fields = new FormData(written);
  renderedAs.className = `say ${tonesOf[String(fields.get('level'))] ?? 'note'}`;
  const part = written.querySelector<HTMLElement>('[data-preview-part]');
  if (part) part.hidden = !(fields.get('title') || fields.get('message'));
  for (const name of ['title', 'message']) {
    const position = renderedAs.querySelector(`[data-preview-${name}]`);
    position?.replaceChildren(...linkedParts(String(fields.get(name) ?? '')).map(shownPart));
  }
}
/** As panels show it: addresses of the message are links. */
function shownPart(part: LinkedPart): string | HTMLElement {
  if (typeof part === 'string') return part;
  const link = document.createElement('a');
  link.className = 'link';
  link.href = part.href;
  link.textContent = part.href;
  return link;
}

written?.addEventListener('input', showNotice);
showNotice();
