/** What the filters do without asking anybody: narrow the list of versions, and keep wanted and left out apart. */
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
