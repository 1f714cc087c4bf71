/** Number of leading letters of a word whose single deletions are indexed. */
const stem = 7;

/** FNV-1a over UTF-16 units, as a signed 32-bit number (a Postgres int4). */
export const hash = (text: string): number => hashOf(text, text.length, -1);

/** The hash of the first `length` units without that at `without`. */
function hashOf(text: string, length: number, without: number): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < length; i++)
    if (i !== without) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value | 0;
}

/**
 * Hashes that a word shares with any word at edit distance one: of the first letters and of their single deletions.
 * Words with a common hash are candidates, to be verified with `withinOneEdit`.
 */
export function deletions(word: string): number[] {
  const length = Math.min(word.length, stem);
  const found = [hashOf(word, length, -1)];
  for (let i = 0; i < length; i++) {
    const one = hashOf(word, length, i);
    if (!found.includes(one)) found.push(one);
  }
  return found;
}

/** Whether one insertion, deletion, substitution or transposition turns `a` into `b`; false for equal words. */
export function withinOneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  const same = (fromA: number, fromB: number) => a.slice(fromA) === b.slice(fromB);
  if (a.length > b.length) return same(start + 1, start);
  if (a.length < b.length) return same(start, start + 1);
  if (same(start + 1, start + 1)) return true;
  return a[start] === b[start + 1] && a[start + 1] === b[start] && same(start + 2, start + 2);
}

/**
 * Whether `typed` has edit distance one from some prefix of `word`. A different last letter does not count as a typo:
 * what precedes it is the prefix of many words.
 */
export const oneEditFromStart = (typed: string, word: string): boolean =>
  [-1, 0, 1].some((more) => {
    if (more < 1 && word.startsWith(typed.slice(0, -1))) return false;
    const length = typed.length + more;
    return length > 0 && length <= word.length && withinOneEdit(typed, word.slice(0, length));
  });

/** The insertions, deletions, substitutions and transpositions that turn `a` into `b`, each letter changed once. */
export function editsBetween(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/**
 * Hashes of which a word shares one with nearly every word two edits away, as `deletions` has them of that word: those of all
 * words one edit away. Of letters of the Latin alphabet and digits, some thousands.
 */
export function deletionsOfNeighbours(word: string): number[] {
  const start = word.slice(0, stem + 1);
  const found = new Set(deletions(start));
  const add = (one: string) => {
    for (const value of deletions(one)) found.add(value);
  };
  for (let i = 0; i <= start.length; i++) {
    const [head, tail] = [start.slice(0, i), start.slice(i)];
    add(head + tail.slice(1));
    if (tail.length > 1) add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
    for (const letter of letters) {
      add(head + letter + tail);
      add(head + letter + tail.slice(1));
    }
  }
  return [...found];
}
