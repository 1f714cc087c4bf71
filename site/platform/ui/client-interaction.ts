import type { ClientDirective } from 'astro';

/**
 * `client:use`: an island's code is loaded on the first pointer or keyboard interaction with the part of the page that
 * is marked `data-use`, or when a script requests it. Until then the server-rendered HTML is static. If the code cannot
 * be loaded without a connection, it is requested again, at another address, once the browser is online.
 */
const use: ClientDirective = (load, _options, island) => {
  const around = island.closest<HTMLElement>('[data-use]') ?? island;
  const start = async () => {
    for (const name of firsts) around.removeEventListener(name, start);
    const hydrate = await load(); // does nothing when the code did not load: an event reported the failure
    await hydrate();
    // with a connection `scripts/reload.ts` handles the failure
    if (island.hasAttribute('ssr') && !navigator.onLine) addEventListener('online', start, { once: true });
  };
  if (around.dataset.use === requested) void start();
  else for (const name of firsts) around.addEventListener(name, start, { passive: true });
};
export default use;

const requested = 'now';
const event = 'use';
const firsts = ['pointerover', 'pointerdown', 'focusin', event];

/** Hydrates the islands in `part`, those that are listening and those added later. */
export function hydrateIslands(part: HTMLElement): void {
  if (part.dataset.use === requested) return;
  part.dataset.use = requested;
  part.dispatchEvent(new Event(event));
}
