import type { Pair } from '../rules.ts';

const key = 'cairn.download';

/** The previous choice in this browser, for any project; empty without storage. */
export function remembered(): Partial<Pair> {
  try {
    const { game, loader } = Object(JSON.parse(localStorage.getItem(key) ?? '{}')) as Record<string, unknown>;
    return { ...(typeof game === 'string' && { game }), ...(typeof loader === 'string' && { loader }) };
  } catch {
    return {}; // storage is blocked, or contains something else
  }
}

/** Stores a pair for the next time. Only what the user chose; it never leaves the browser. */
export function remember({ game, loader }: Pair): void {
  try {
    localStorage.setItem(key, JSON.stringify({ game, loader }));
  } catch {
    // storing is optional
  }
}
