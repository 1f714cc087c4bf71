import { apiFetch } from '../../../platform/browser/api-client.ts';
import { readMessages } from '../../../platform/text/message-reader.ts';

/** Shows what is about to be reported, a moment after its name was typed. */
interface Answer {
  item: { name: string; of: string | null; picture: string | null; path: string } | null;
  open_report: string | null;
}
const pause_ms = 350;

function start(place: HTMLElement): void {
  const form = place.closest('form')!;
  const { t } = readMessages<'reports.found_'>(place);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;

  const line = (className: string, ...parts: Array<Node | string>) => {
    const paragraph = document.createElement('p');
    paragraph.className = className;
    paragraph.append(...parts);
    return paragraph;
  };
  const linkTo = (href: string, text: string) => {
    const link = document.createElement('a');
    [link.href, link.textContent, link.dir] = [href, text, 'auto'];
    return link;
  };

  function show({ item, open_report }: Answer): void {
    if (!item) {
      place.replaceChildren(line('hint', t('reports.found_none')));
      return;
    }
    const parts: Node[] = [];
    if (item.picture) {
      const picture = document.createElement('img');
      [picture.src, picture.alt, picture.width, picture.height] = [item.picture, '', 40, 40];
      parts.push(picture);
    }
    const name = linkTo(item.path, item.name);
    name.className = 'name';
    parts.push(name);
    const lines = [line('row', ...parts, item.of ?? '')];
    if (open_report)
      lines.push(
        line(
          'hint warn',
          t('reports.found_open'),
          ' ',
          linkTo(
            place.dataset.reported!.replace(/\/(?=\?|$)/, `/${open_report}`),
            t('reports.found_open_link'),
          ),
        ),
      );
    place.replaceChildren(...lines);
  }

  async function look(): Promise<void> {
    const fields = new FormData(form);
    const item = String(fields.get('item') ?? '').trim();
    if (item === '') {
      place.replaceChildren();
      return;
    }
    asked = new AbortController();
    const { signal } = asked;
    const query = { type: String(fields.get('item_type')), item };
    const answer = await apiFetch('GET /_internal/reports/item', { query, signal });
    if (answer.ok && !signal.aborted) show(answer.data);
  }
  form.addEventListener('input', ({ target }) => {
    if (!['item', 'item_type'].includes((target as HTMLInputElement).name)) return;
    asked?.abort();
    clearTimeout(timer);
    timer = setTimeout(look, pause_ms);
  });
}

for (const place of document.querySelectorAll<HTMLElement>('[data-reported]')) start(place);
