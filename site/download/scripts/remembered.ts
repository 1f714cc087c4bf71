import type { Pair } from '../rules.ts';

const key = 'cairn.download';

/** What was chosen last time in this browser, on whatever project; nothing where nothing may be kept. */
export function remembered(): Partial<Pair> {
  try {
    const { game, loader } = Object(JSON.parse(localStorage.getItem(key) ?? '{}')) as Record<string, unknown>;
    return { ...(typeof game === 'string' && { game }), ...(typeof loader === 'string' && { loader }) };
  } catch {
    return {}; // storage is forbidden, or holds what is none of ours
  }
}

/** Keeps a pair for next time. Only what a person chose: it never leaves the browser. */
export function remember({ game, loader }: Pair): void {
  try {
    localStorage.setItem(key, JSON.stringify({ game, loader }));
  } catch {
    // it is a convenience
  }
}
