/**
 * Where things are said to people who hear the page. It stands with the messages, so it is inside an open dialog when
 * there is one; in a closed shadow, so that searching the page does not find what is seen a second time.
 */
const host = document.querySelector<HTMLElement>('[data-announce]');
const region = document.createElement('span');
region.ariaLive = 'polite';
host?.attachShadow({ mode: 'closed' }).append(region);

/** Says `text`, also the same text again. */
export function announce(text: string): void {
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
