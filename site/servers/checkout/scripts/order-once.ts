/** The button of an order rests while it is on its way. The order itself is one anyhow: its id is in the form. */
const form = document.querySelector<HTMLFormElement>('form[data-once]');
const button = form?.querySelector<HTMLButtonElement>('[type=submit]');

form?.addEventListener('submit', () => {
  if (button) button.disabled = true;
});
// a browser may bring the page back as it was left: with its button off
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && button) button.disabled = false;
});

export {};
