/**
 * Says `text` to people who hear the page, also the same text again. The place for it stands with the messages, so it is
 * inside an open dialog when there is one.
 */
export function announce(text: string): void {
  const place = document.querySelector<HTMLElement>('[data-announce]');
  if (!place) return;
  place.textContent = '';
  setTimeout(() => {
    place.textContent = text;
  }, 50);
}
