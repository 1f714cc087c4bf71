import type { ClientDirective } from 'astro';

/**
 * `client:use`: an island's code is loaded when one first points at, or comes by keyboard to, the part of the page that
 * is marked `data-use`, or when its script says so. Until then what the server drew is there, and nothing else.
 */
const use: ClientDirective = (load, _options, island) => {
  const around = island.closest<HTMLElement>('[data-use]') ?? island;
  const start = async () => {
    for (const name of firsts) around.removeEventListener(name, start);
    try {
      const hydrate = await load();
      await hydrate();
    } catch (error) {
      if (navigator.onLine) throw error; // `scripts/reload.ts` knows what to do
      addEventListener('online', start, { once: true });
    }
  };
  if (around.dataset.use === said) void start();
  else for (const name of firsts) around.addEventListener(name, start, { passive: true });
};
export default use;

const said = 'now';
const event = 'use';
const firsts = ['pointerover', 'pointerdown', 'focusin', event];

/** Says that the islands of `part` are needed, whether they listen already or come later. */
export function wakeIslands(part: HTMLElement): void {
  if (part.dataset.use === said) return;
  part.dataset.use = said;
  part.dispatchEvent(new Event(event));
}
