/** Buttons with `data-copy` copy that text and say so for two seconds. Source: spec §4. */
document.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest?.<HTMLElement>('[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy ?? '');
  button.classList.add('copied');
  const label = button.getAttribute('aria-label');
  button.setAttribute('aria-label', button.dataset.copied ?? '');
  setTimeout(() => {
    button.classList.remove('copied');
    if (label) button.setAttribute('aria-label', label);
  }, 2000);
});
