/**
 * Disables the button while an order is being sent. A second submission would create no second order: its id is in the
 * form.
 */
const form = document.querySelector<HTMLFormElement>('form[data-once]');
const button = form?.querySelector<HTMLButtonElement>('[type=submit]');

form?.addEventListener('submit', () => {
  if (button) button.disabled = true;
});
// a page restored from the back/forward cache would keep the disabled button
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && button) button.disabled = false;
});

export {};
