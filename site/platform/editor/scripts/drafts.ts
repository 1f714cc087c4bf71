/** Drafts of texts in this browser, by user, item and field; those of the last month, and no more than the newest twenty. */
interface Draft {
  text: string;
  /** Milliseconds since 1970. */
  saved: number;
}

const kept_ms = 30 * 86_400_000;
const most = 20;
const start = 'draft:';

function parse(text: string | null): Draft | null {
  try {
    const draft = JSON.parse(text ?? 'null') as Partial<Draft> | null;
    return typeof draft?.text === 'string' && typeof draft.saved === 'number' ? (draft as Draft) : null;
  } catch {
    return null; // not ours
  }
}

/** The draft of this name, null without one. */
export function readDraft(name: string): Draft | null {
  try {
    return parse(localStorage.getItem(`draft:${name}`));
  } catch {
    return null; // no storage
  }
}

/** Keeps `text`, and forgets old drafts. */
export function writeDraft(name: string, text: string): void {
  try {
    localStorage.setItem(`draft:${name}`, JSON.stringify({ text, saved: Date.now() }));
    const others = Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => ({
        key,
        saved: parse(localStorage.getItem(`draft:${key.slice(start.length)}`))?.saved ?? 0,
      }))
      .sort((a, b) => b.saved - a.saved);
    for (const [place, { key, saved }] of others.entries())
      if (place >= most || saved < Date.now() - kept_ms) forgetDraft(key.slice(start.length));
  } catch {} // full, or no storage: the text is in the page
}

export function forgetDraft(name: string): void {
  try {
    localStorage.removeItem(`draft:${name}`);
  } catch {} // no storage
}
