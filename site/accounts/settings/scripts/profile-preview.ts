/** Shows in the preview what is typed into the fields of the profile. */
const previews = [...document.querySelectorAll<HTMLElement>('[data-preview]')];
const form = previews[0]?.closest('form');

const show = (): void => {
  for (const preview of previews) {
    const field = form?.elements.namedItem(preview.dataset.preview!) as HTMLInputElement | null;
    preview.textContent = field?.value ?? '';
  }
};

form?.addEventListener('input', show);
form?.addEventListener('reset', () => setTimeout(show));

export {};
