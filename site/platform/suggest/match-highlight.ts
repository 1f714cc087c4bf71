export interface HighlightPart {
  text: string;
  marked: boolean;
}

/** `text` without case and accents, and the index in `text` of each of its code units. */
function folded(text: string): { plain: string; from: number[] } {
  let plain = '';
  const from: number[] = [];
  let at = 0;
  for (const char of text) {
    const bare = char.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < bare.length; unit++) from.push(at);
    plain += bare;
    at += char.length;
  }
  from.push(at);
  return { plain, from };
}

const letter = /[\p{L}\p{N}]/u;
const upper = /\p{Lu}/u;

/** Whether a word begins at `at`: not after a letter, or at a capital inside `camelCase`. */
const begins = (text: string, at: number): boolean =>
  at === 0 || !letter.test(text[at - 1]!) || (upper.test(text[at]!) && !upper.test(text[at - 1]!));

/**
 * `text` split at matches of the words of `query`: at the start of a word if there is such a match, else anywhere (two
 * letters and more). Case and accents are ignored.
 */
export function highlightMatches(text: string, query: string): HighlightPart[] {
  const { plain, from } = folded(text);
  const labels = folded(query)
    .plain.split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const marked = new Uint8Array(text.length);
  for (const word of labels) {
    const positions: number[] = [];
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) positions.push(at);
    const position =
      positions.find((at) => begins(text, from[at]!)) ?? (word.length > 1 ? positions[0] : undefined);
    if (position !== undefined) marked.fill(1, from[position], from[position + word.length]);
  }
  const cut: HighlightPart[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (end < text.length && marked[end] === marked[at]) end++;
    cut.push({ text: text.slice(at, end), marked: marked[at] === 1 });
    at = end;
  }
  return cut;
}
