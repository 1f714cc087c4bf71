/** Web addresses in console lines. Pure. */

/** An address in a text, from `from` to before `to`. */
export interface FoundLink {
  from: number;
  to: number;
  /** As browsers write it: `http:` or `https:`, never with a user name. */
  href: string;
  /** The host it leads to, in the letters that browsers ask for. */
  host: string;
}

const address = /(?:\b|(?<=§.))https?:\/\/[^\s<>"`|\\^{}§]+/gi;
/** What stands behind an address rather than at its end. */
const behind = /[.,;:!?'”’»…*_]$/;
const pairs: Record<string, string> = { ')': '(', ']': '[' };
const max_links = 20;
const max_characters = 2_000;

/** The addresses in `text`, in order, at most 20. */
export function findLinks(text: string): FoundLink[] {
  if (!text.includes('://')) return [];
  const found: FoundLink[] = [];
  for (const { 0: candidate, index } of text.matchAll(address)) {
    const trimmed = withoutPunctuation(candidate.slice(0, max_characters));
    const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
    // a user name is there to be taken for a host
    if (!url?.hostname || url.username || url.password || !/^https?:$/.test(url.protocol)) continue;
    found.push({ from: index, to: index + trimmed.length, href: url.href, host: url.host });
    if (found.length === max_links) break;
  }
  return found;
}

/** A closing bracket belongs to the address when it was opened in it. */
function withoutPunctuation(text: string): string {
  let end = text.length;
  for (;;) {
    const last = text[end - 1] ?? '';
    const inside = text.slice(0, end);
    const opening = pairs[last];
    const closes = opening !== undefined && count(inside, last) > count(inside, opening);
    if (!behind.test(inside) && !closes) return inside;
    end -= 1;
  }
}

const count = (text: string, character: string): number => text.split(character).length - 1;
