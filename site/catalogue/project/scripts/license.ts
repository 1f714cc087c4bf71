/** Opens the license text, fetched on first use. Source: specification §8. */
const link = document.querySelector<HTMLAnchorElement>('[data-license]');
const terms = document.querySelector<HTMLElement>('[data-terms]');
const dialog = terms?.closest('dialog');

async function load(ids: string[]): Promise<void> {
  try {
    await (await import('./license-text.ts')).showLicenses(terms!, ids);
  } catch {
    terms!.textContent = terms!.dataset.failed!; // no connection: the next click tries again
  }
}

if (link && dialog && terms) {
  const { license } = link.dataset;
  link.role = 'button';
  link.setAttribute('aria-haspopup', 'dialog');
  link.tabIndex = 0;
  terms.tabIndex = 0; // focus for keyboard scrolling
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    dialog.showModal();
    if (terms.dataset.loaded === undefined) void load(JSON.parse(license!) as string[]);
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    link.click();
  });
}

export {};
