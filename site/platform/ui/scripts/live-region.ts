/**
 * The live region for screen readers. It is placed with the toasts, so it is inside an open dialog if there is one; in
 * a closed shadow root, so that find-in-page does not match it.
 */
const host = document.querySelector<HTMLElement>('[data-announce]');
const region = document.createElement('span');
region.ariaLive = 'polite';
host?.attachShadow({ mode: 'closed' }).append(region);

/** Announces `text`, also the same text again. */
export function announce(text: string): void {
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
