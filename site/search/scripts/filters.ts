/** Filters a list of options by the typed text. */
function narrow(label: HTMLElement): void {
  const box = label.querySelector('input')!;
  const list = document.getElementById(label.dataset.narrow!)!;
  box.addEventListener('input', () => {
    const requested = box.value.trim().toLowerCase();
    for (const line of list.children)
      (line as HTMLElement).hidden = !line.textContent.toLowerCase().includes(requested);
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
  const sheet = form.querySelector<HTMLElement>('[data-filters]');
  if (sheet) beSheet(sheet);
}

/** Shows the selected values beside each heading. */
export function nameChosen(form: HTMLFormElement): void {
  for (const group of form.querySelectorAll('[data-filters] > div > details')) {
    const names = [...group.querySelectorAll('.filter:has(:checked)')].map((line) => line.textContent.trim());
    group.querySelector('[data-chosen]')!.textContent = names.join(', ');
  }
}
