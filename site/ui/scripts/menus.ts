/**
 * Menus in `<details>`: only one is open, a click elsewhere, the focus going elsewhere or Escape
 * closes it, Escape returns to its button.
 */
const menus = () => document.querySelectorAll<HTMLDetailsElement>('[data-menu][open]');

document.addEventListener('click', (event) => {
  for (const menu of menus()) if (!menu.contains(event.target as Node)) menu.open = false;
});
document.addEventListener('focusin', (event) => {
  for (const menu of menus()) if (!menu.contains(event.target as Node)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of menus()) {
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
    menu.open = false;
  }
});
