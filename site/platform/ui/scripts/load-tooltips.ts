/** Loads the tooltips when the pointer or the focus first reaches one: they appear later than that anyway. */
async function load({ target }: Event): Promise<void> {
  if (!(target as Partial<Element> | null)?.closest?.('[data-tip], [title]')) return;
  document.removeEventListener('pointerover', load);
  document.removeEventListener('focusin', load);
  (await import('./tooltips.ts')).startTooltips(target);
}
document.addEventListener('pointerover', load);
document.addEventListener('focusin', load);

export {};
