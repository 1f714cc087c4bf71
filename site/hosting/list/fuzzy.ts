/**
 * How well `text` matches the query: 0 for no match, higher is better. Every word of the query must be in it, as a
 * substring or with letters left out (`fbrc` matches `fabric`). Pure.
 */
export function fuzzyScore(text: string, typed: string): number {
  const low = text.toLocaleLowerCase();
  let sum = 1;
  for (const word of typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)) {
    const points = pointsOf(low, word);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function pointsOf(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return /\s/.test(text[at - 1] ?? '') ? 4 : 3;
  const near = text.split(/\s+/).some((one) => one[0] === word[0] && holdsInOrder(one, word));
  return near && word.length > 1 ? 1 : 0;
}

function holdsInOrder(text: string, letters: string): boolean {
  let at = -1;
  return [...letters].every((letter) => {
    at = text.indexOf(letter, at + 1);
    return at >= 0;
  });
}
