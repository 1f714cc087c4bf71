import type { ClientDirective } from 'astro';

/**
 * `client:use`: an island's code is loaded when one first points at, or comes by keyboard to, the part of the page that
 * is marked `data-use`, or when its script says so. Until then what the server drew is there, and nothing else. Code that
 * does not come because there is no connection is asked for again, under an address of its own, once there is one.
 */
const use: ClientDirective = (load, _options, island) => {
  const around = island.closest<HTMLElement>('[data-use]') ?? island;
  const start = async () => {
    for (const name of firsts) around.removeEventListener(name, start);
    const hydrate = await load(); // does nothing when the code did not come: what is lost was told by an event
    await hydrate();
    // with a connection `scripts/reload.ts` knows what to do
    if (island.hasAttribute('ssr') && !navigator.onLine) addEventListener('online', start, { once: true });
  };
  if (around.dataset.use === requested) void start();
  else for (const name of firsts) around.addEventListener(name, start, { passive: true });
};
export default use;

const requested = 'now';
const event = 'use';
const firsts = ['pointerover', 'pointerdown', 'focusin', event];

/** Says that the islands of `part` are needed, whether they listen already or come later. */
export function hydrateIslands(part: HTMLElement): void {
  if (part.dataset.use === requested) return;
  part.dataset.use = requested;
  part.dispatchEvent(new Event(event));
}
