/** Pages of handbooks: the search box, which needs scripts, and buttons that copy the link of a heading or code. */
const form = document.querySelector<HTMLFormElement>('[data-docs-search]');
const box = form?.querySelector<HTMLInputElement>('[data-docs-find]');

/** Loads search when one first goes to the box. */
function loadOnFocus(form: HTMLFormElement, box: HTMLInputElement): void {
  let isLoaded = false;
  const load = async () => {
    if (isLoaded) return;
    isLoaded = true;
    try {
      (await import('../search/search-box.ts')).start(form, box);
    } catch {
      isLoaded = false; // no connection: the next focus tries again
    }
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  box.addEventListener('focus', load);
  form.closest<HTMLElement>('search')!.inert = false;
  if (document.activeElement === box) void load();
}

/** A copy of the page's button, which copies `text` and is called `label`. */
function copyButton(text: string, label: string): HTMLElement | null {
  const shape = document.querySelector<HTMLTemplateElement>('[data-copy-button]');
  const button = shape?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
  button?.setAttribute('data-copy', text);
  button?.setAttribute('aria-label', label);
  return button ?? null;
}

/** On a phone a row becomes a paragraph, whose parts say which column they are of when there are more than two. */
function foldTable(table: HTMLTableElement): void {
  const columns = [...table.querySelectorAll('th')].map(({ textContent }) => textContent);
  table.classList.add('folds');
  for (const row of columns.length > 2 ? table.tBodies[0]!.rows : [])
    for (const [at, cell] of [...row.cells].entries()) if (at > 0) cell.dataset.column = columns[at];
}

if (form && box) loadOnFocus(form, box);
const page = document.querySelector<HTMLElement>('[data-handbook-page]');
if (page) {
  const { link = '', code = '' } = page.dataset;
  for (const heading of page.querySelectorAll<HTMLElement>(':is(h2, h3)[id]')) {
    const url = new URL(`#${heading.id}`, location.href.split('#', 1)[0]);
    const button = copyButton(url.href, link.replace('{heading}', heading.textContent));
    if (!button) continue;
    const line = document.createElement('div'); // beside the heading, whose name it would change inside
    line.className = 'anchored';
    heading.replaceWith(line);
    line.append(heading, button);
  }
  for (const table of page.querySelectorAll('table')) foldTable(table);
  for (const block of page.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'framed';
    const button = copyButton(block.textContent, code);
    block.replaceWith(frame);
    frame.append(block, ...(button ? [button] : []));
  }
}

export {}; // a module: its names are its own
