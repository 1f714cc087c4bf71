/** Starts the search box of a page of the handbooks and adds buttons that copy the link of a heading, or code. */
export function start(): void {
  startSearch();
  const page = document.querySelector<HTMLElement>('[data-handbook-page]');
  if (!page) return;
  if (page.querySelector('[data-try]'))
    void import('./reference/scripts/try-it.ts').then(({ start }) => start());
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
  for (const block of page.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'framed';
    const button = copyButton(block.textContent, code);
    block.replaceWith(frame);
    frame.append(block, ...(button ? [button] : []));
  }
}

/** Loads the search of the handbooks when somebody goes to its box. */
function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('[data-docs-search]');
  const box = form?.querySelector<HTMLInputElement>('[data-docs-find]');
  if (!form || !box) return;
  let isLoaded = false;
  const load = async () => {
    if (isLoaded) return;
    isLoaded = true;
    try {
      (await import('./search/search-box.ts')).start(form, box);
    } catch {
      isLoaded = false; // no connection: the next focus tries again
    }
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  box.addEventListener('focus', load);
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
