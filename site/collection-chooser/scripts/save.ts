/** Opens the chooser of the user's collections, which is loaded with the first click on one of its buttons. */
document.addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest?.<HTMLElement>('[data-save]');
  if (button) (await import('./chooser.ts')).openChooser(button);
});

export {};
