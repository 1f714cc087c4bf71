/**
 * What the filters do without asking anybody: narrow the list of versions, keep wanted and left out apart, and as a
 * sheet hold the focus until it closes.
 */
for (const label of document.querySelectorAll<HTMLElement>('[data-narrow]')) {
  const box = label.querySelector('input')!;
  const lines = document.querySelectorAll<HTMLElement>(`#${label.dataset.narrow} > li`);
  box.addEventListener('input', () => {
    const wanted = box.value.trim().toLowerCase();
    for (const line of lines) line.hidden = !line.textContent.toLowerCase().includes(wanted);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

document.querySelector('[data-search]')?.addEventListener(
  'change',
  (event) => {
    const box = event.target as HTMLInputElement;
    if (box.type !== 'checkbox' || !box.checked) return;
    for (const other of box.closest('.filter')?.querySelectorAll('input') ?? []) {
      if (other !== box) other.checked = false;
    }
  },
  { capture: true },
);

/** Everything beside `sheet` and beside what it stands in. */
function outside(sheet: Element): Element[] {
  const parent = sheet.parentElement;
  if (!parent) return [];
  return [...[...parent.children].filter((one) => one !== sheet), ...outside(parent)];
}

const sheet = document.querySelector<HTMLElement>('#filters');
// before it closes, not after: the focus goes back to a button that must be reachable again by then
sheet?.addEventListener('beforetoggle', (event) => {
  const open = (event as ToggleEvent).newState === 'open';
  for (const element of outside(sheet)) element.toggleAttribute('inert', open);
});
