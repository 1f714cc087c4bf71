/**
 * Where things are said to people who hear the page. It stands with the messages, so it is inside an open dialog when
 * there is one; in a closed shadow, so that searching the page does not find what is seen a second time.
 */
const host = document.querySelector<HTMLElement>('[data-announce]');
const place = document.createElement('span');
place.ariaLive = 'polite';
host?.attachShadow({ mode: 'closed' }).append(place);

/** Says `text`, also the same text again. */
export function announce(text: string): void {
  place.textContent = '';
  setTimeout(() => {
    place.textContent = text;
  }, 50);
}
