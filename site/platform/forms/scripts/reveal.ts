/** Buttons with `data-reveal` show what stands in a password field. A form that is sent hides it again, for the page that follows. */
const fieldOf = (button: HTMLElement) =>
  button.parentElement!.querySelector<HTMLInputElement>(`[name="${button.dataset.reveal}"]`)!;

function set(button: HTMLElement, shown: boolean): void {
  button.ariaPressed = String(shown);
  fieldOf(button).type = shown ? 'text' : 'password';
}

for (const button of document.querySelectorAll<HTMLElement>('[data-reveal]')) {
  button.addEventListener('click', () => {
    set(button, button.ariaPressed !== 'true');
    fieldOf(button).focus();
  });
  button.closest('form')?.addEventListener('submit', () => set(button, false));
}
