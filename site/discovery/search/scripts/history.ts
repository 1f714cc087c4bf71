/** The scroll positions of history entries made by this page, to restore them on Back. */
const heights = new Map<string, number>();
let key = keyOf(history.state) ?? isNewEntry();

function keyOf(state: unknown): string | undefined {
  return (Object(state) as { key?: string }).key;
}
function isNewEntry(): string {
  return Math.random().toString(36).slice(2);
}

history.replaceState({ ...history.state, key }, '');
addEventListener('scroll', () => heights.set(key, scrollY), { passive: true });

/** The server that content is chosen for stays in the address. */
const server = new URLSearchParams(location.search).get('sid');
const withServer = (address: string): string =>
  server === null
    ? address
    : `${address}${address.includes('?') ? '&' : '?'}sid=${encodeURIComponent(server)}`;

/** Pushes a history entry, or replaces the current one. */
export function write(how: 'push' | 'replace', search: string): void {
  const address = withServer(search);
  if (address === location.pathname + location.search) return;
  if (how === 'push') {
    heights.set(key, scrollY);
    key = isNewEntry();
    history.pushState({ key }, '', address);
  } else history.replaceState({ ...history.state, key }, '', address);
}

/** Calls `react` on Back or Forward within this page, with a function that restores the scroll position. */
export function onBack(react: (restore: () => void) => void): void {
  addEventListener('popstate', ({ state }) => {
    key = keyOf(state) ?? isNewEntry();
    const height = heights.get(key);
    react(() => {
      if (height !== undefined) scrollTo({ top: height, behavior: 'instant' });
    });
  });
}
