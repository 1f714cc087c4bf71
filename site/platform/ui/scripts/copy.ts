/**
 * What buttons with `data-copy` do is loaded with the first click on one; at once where one stands outside of menus, because
 * what is shown once must be copied without a connection too.
 */
const load = () => import('./write-copy.ts');

if (document.querySelector('[data-copy]:not(.menu *)')) void load();
document.addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest?.<HTMLElement>('[data-copy]');
  if (button) (await load()).copyOf(button);
});

export {};
