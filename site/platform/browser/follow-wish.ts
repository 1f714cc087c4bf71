/**
 * A follow that a visitor asked for before signing in: kept in this tab, so that no link can ask for one, and taken by
 * the page that sign-in leads back to.
 */
const stored = 'follow';
/** A wish that is older was forgotten by whoever had it. */
const keeps_ms = 30 * 60_000;

/** Remembers that the project or person with this id is to be followed after sign-in. */
export function keepFollowWish(id: string): void {
  try {
    sessionStorage.setItem(stored, JSON.stringify({ id, at: Date.now() }));
  } catch {} // without storage the button is pressed again
}

/** Whether the project or person with this id was to be followed. Any wish is forgotten then. */
export function takeFollowWish(id: string): boolean {
  try {
    const wish = Object(JSON.parse(sessionStorage.getItem(stored) ?? 'null')) as Record<string, unknown>;
    sessionStorage.removeItem(stored);
    return wish.id === id && Date.now() - Number(wish.at) < keeps_ms;
  } catch {
    return false;
  }
}
