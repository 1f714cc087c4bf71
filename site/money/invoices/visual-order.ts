/** The order in which the words of a line are drawn: a short form of the Unicode bidirectional algorithm (UAX 9). */

const arabic = /\p{Script=Arabic}/u;
/** Marks that steer the order of text; this file decides it instead. */
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The words of a line from left to right. Words of the other direction that follow each other keep their own order: an
 * amount with its currency is read from left to right in an Arabic line too. The letters of a word are ordered by the font.
 */
export function visualOrder(text: string, dir: 'ltr' | 'rtl'): string[] {
  const words = text.replace(marks, '').split(/\s+/).filter(Boolean);
  const isForeign = (word: string) => arabic.test(word) !== (dir === 'rtl');
  const runs: string[][] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last && isForeign(word) && isForeign(last[0]!)) last.push(word);
    else runs.push([word]);
  }
  // a run of the other direction is turned around once for its own sake, and the line once for the reader's
  if (dir === 'rtl') return runs.reverse().flat();
  return runs.flatMap((run) => (arabic.test(run[0]!) ? run.reverse() : run));
}
