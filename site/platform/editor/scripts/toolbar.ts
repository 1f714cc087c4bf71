/** One stop of the Tab key for all `items`; arrow keys (as the page is read), Home and End move between them. */
export function roving(
  holder: HTMLElement,
  items: readonly HTMLElement[],
  moved?: (item: HTMLElement) => void,
): void {
  const stop = (item: HTMLElement) => {
    for (const one of items) one.tabIndex = one === item ? 0 : -1;
  };
  if (items[0]) stop(items.find((item) => item.ariaSelected === 'true') ?? items[0]);
  holder.addEventListener('keydown', (event) => {
    const at = items.indexOf(event.target as HTMLElement);
    if (at === -1) return;
    const ahead = getComputedStyle(holder).direction === 'rtl' ? -1 : 1;
    const steps: Record<string, number> = {
      ArrowRight: at + ahead,
      ArrowLeft: at - ahead,
      Home: 0,
      End: items.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const item = items[(to + items.length) % items.length]!;
    item.focus();
    moved?.(item);
  });
  holder.addEventListener('focusin', ({ target }) => {
    if (items.includes(target as HTMLElement)) stop(target as HTMLElement);
  });
}
