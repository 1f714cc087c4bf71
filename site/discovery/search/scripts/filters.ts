/** How well `text` fits what was typed: the same, its beginning, a part of it, or not at all. */
const closeness = (text: string, typed: string): number =>
  text === typed ? 0 : text.startsWith(typed) ? 1 : text.includes(typed) ? 2 : 3;

/** Shows the options of a list that contain the typed text, the best ones first, from the top of the list. */
function narrow(label: HTMLElement): void {
  const box = label.querySelector('input')!;
  const list = document.getElementById(label.dataset.narrow!)!;
  /** The order without text. */
  const places = new Map<Element, number>();
  box.addEventListener('input', () => {
    // with new options the list is in its own order
    if ([...list.children].some((line) => !places.has(line))) {
      places.clear();
      for (const line of list.children) places.set(line, places.size);
    }
    const typed = box.value.trim().toLowerCase();
    const lines = [...list.children].map((line) => {
      const text = line.querySelector('.check > span')!.textContent.trim().toLowerCase();
      return {
        line: line as HTMLElement,
        closeness: typed ? closeness(text, typed) : 0,
        place: places.get(line)!,
      };
    });
    for (const one of lines) one.line.hidden = one.closeness > 2;
    list.append(
      ...lines.sort((a, b) => a.closeness - b.closeness || a.place - b.place).map(({ line }) => line),
    );
    list.scrollTop = 0;
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

/** All elements outside `sheet` and its ancestors. */
function outside(sheet: Element): Element[] {
  const parent = sheet.parentElement;
  if (!parent) return [];
  return [...[...parent.children].filter((one) => one !== sheet), ...outside(parent)];
}

/** Makes the filters a modal sheet: they trap the focus until they close; dragging the header down closes them. */
function beSheet(sheet: HTMLElement): void {
  // before it closes: the focus returns to a button that must not be inert by then
  sheet.addEventListener('beforetoggle', (event) => {
    const open = (event as ToggleEvent).newState === 'open';
    for (const element of outside(sheet)) element.toggleAttribute('inert', open);
  });
  const head = sheet.querySelector('header')!;
  let from: number | null = null;
  const fallen = (event: PointerEvent) => (from === null ? 0 : Math.max(0, event.clientY - from));
  head.addEventListener('pointerdown', (event) => {
    if (!(event.target as Element).closest('button')) from = event.clientY;
  });
  addEventListener('pointermove', (event) => {
    if (from !== null) sheet.style.translate = `0 ${fallen(event)}px`;
  });
  const end = (event: PointerEvent) => {
    if (from === null) return;
    if (event.type === 'pointerup' && fallen(event) > 80) sheet.hidePopover();
    sheet.style.translate = '';
    from = null;
  };
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}

/**
 * Keyboard: each row is one Tab stop. Shift+Space or Delete on its check box excludes the value, or no longer does; the
 * description of the box says so, and the row shows the keys while it has the focus.
 */
function excludeByKeys(sheet: HTMLElement): void {
  for (const out of sheet.querySelectorAll<HTMLElement>('.out input')) {
    out.tabIndex = -1;
    out.parentElement!.dataset.keys = sheet.dataset.keys;
    out.closest('.filter')!.querySelector('input')!.setAttribute('aria-keyshortcuts', 'Shift+Space Delete');
  }
  const excludes = ({ key, shiftKey }: KeyboardEvent) => (key === ' ' && shiftKey) || key === 'Delete';
  const outOf = (target: EventTarget | null) =>
    (target as Element).closest('.filter')?.querySelector<HTMLInputElement>('.out input');
  sheet.addEventListener('keydown', (event) => {
    const out = excludes(event) ? outOf(event.target) : null;
    if (!out) return;
    event.preventDefault();
    if (!event.repeat) out.click();
  });
  // Firefox presses a check box when the key comes up
  sheet.addEventListener('keyup', (event) => {
    if (event.key === ' ' && event.shiftKey && outOf(event.target)) event.preventDefault();
  });
}

/** Says in the description of each check box how many projects it gives, whether it is excluded, and the keys. */
export function describeFilters(form: HTMLFormElement): void {
  const sheet = form.querySelector<HTMLElement>('[data-filters]')!;
  const { hint = '', excluded = '' } = sheet.dataset;
  for (const line of sheet.querySelectorAll('.filter')) {
    const out = line.querySelector<HTMLInputElement>('.out input');
    const parts = [line.querySelector('.n')?.textContent, out?.checked && excluded, out && hint];
    line.querySelector('input')!.setAttribute('aria-description', parts.filter(Boolean).join('. '));
  }
}

/** The behaviour of the filters that needs no request. */
export function startFilters(form: HTMLFormElement): void {
  for (const label of form.querySelectorAll<HTMLElement>('[data-narrow]')) narrow(label);
  // a value is never included and excluded at once
  form.addEventListener(
    'change',
    (event) => {
      const box = event.target as HTMLInputElement;
      if (box.type !== 'checkbox' || !box.checked) return;
      for (const other of box.closest('.filter')?.querySelectorAll('input') ?? [])
        if (other !== box) other.checked = false;
    },
    { capture: true },
  );
  const sheet = form.querySelector<HTMLElement>('[data-filters]')!;
  excludeByKeys(sheet);
  describeFilters(form);
  beSheet(sheet);
}

/** Shows the selected values beside each heading. */
export function nameChosen(form: HTMLFormElement): void {
  for (const group of form.querySelectorAll('[data-filters] > div > details')) {
    const names = [...group.querySelectorAll('.filter:has(:checked)')].map(
      (line) => line.querySelector('.check > span')!.textContent,
    );
    group.querySelector('[data-chosen]')!.textContent = names.join(', ');
  }
}
