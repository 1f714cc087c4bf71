/** Visible controls that Tab does not reach; of a group with arrow keys one is enough. */
export function unreachable(): string[] {
  // of a filter row, keys on its first check box press the second; of a row in order, keys on its handle move it
  const groups =
    '[role=listbox], [role=grid], [role=tablist], [role=menu], [role=radiogroup], [role=toolbar], [inert], [data-row]:has([data-handle]), .filter:has([aria-keyshortcuts])';
  const controls = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary',
  );
  return [...controls]
    .filter((control) => control.tabIndex < 0 && control.checkVisibility() && !control.closest(groups))
    .map((control) => control.outerHTML.slice(0, 200));
}

/** Pixels between the top bar and the words of the heading; endless without a bar, or where only screen readers have them. */
export function roomAboveHeading(): number {
  const bar = document.querySelector<HTMLElement>('header.bar');
  const heading = document.querySelector<HTMLElement>('h1');
  if (!bar || !heading || heading.offsetWidth <= 1) return Number.POSITIVE_INFINITY;
  const words = document.createRange();
  words.selectNodeContents(heading);
  return words.getBoundingClientRect().top + scrollY - bar.offsetHeight;
}

/**
 * Untranslated texts on a page in a pseudo-locale, in a browser that page itself: those without the accents of en-XA and
 * the overrides of ar-XB;
 * user-written text is in bdi, code, time or dir=auto, and articles that exist in English only are in lang.
 */
export function untranslated(page: Document = document): string[] {
  const foreign =
    'bdi, code, time, script, style, noscript, template, [dir=auto], [translate=no], body [lang]';
  // what people wrote stands isolated in sentences, and mirrored words stand in an override
  const marked = /\u2068[^\u2069]*\u2069|\u202e[^\u202c]*\u202c/g;
  const plain = (text: string) => /[a-z]{2}/.test(text.replace(marked, ''));
  const found: string[] = [];
  const texts = 4; // NodeFilter.SHOW_TEXT, which only browsers have
  const walk = page.createTreeWalker(page.body, texts);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent ?? '';
    if (plain(text) && !node.parentElement?.closest(foreign)) found.push(text.trim());
  }
  for (const element of page.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    if (element.closest(foreign)) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      const text = element.getAttribute(name) ?? '';
      if (plain(text) && !/[à-ž\u202e]/.test(text)) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
