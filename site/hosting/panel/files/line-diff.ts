/** How two versions of a text differ, line by line. Pure. */
export interface DiffLine {
  kind: 'same' | 'mine' | 'theirs';
  text: string;
}

/** Larger differences are shown as a whole: the table would take too much memory. */
const max_cells = 4_000_000;

/** The lines of both versions in one order: those of `theirs` that `mine` lacks, and the other way round. */
export function lineDiff(theirs: string, mine: string): DiffLine[] {
  const [a, b] = [theirs.split('\n'), mine.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (texts: string[]): DiffLine[] => texts.map((text) => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

/** By the longest common subsequence. */
function between(a: string[], b: string[]): DiffLine[] {
  const theirs = (text: string): DiffLine => ({ kind: 'theirs', text });
  const mine = (text: string): DiffLine => ({ kind: 'mine', text });
  if (a.length * b.length > max_cells) return [...a.map(theirs), ...b.map(mine)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i++]! });
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) lines.push(theirs(a[i++]!));
    else lines.push(mine(b[j++]!));
  }
  return [...lines, ...a.slice(i).map(theirs), ...b.slice(j).map(mine)];
}

/** Only what differs, with `around` lines before and after; null stands for what is left out. */
export function shortened(lines: readonly DiffLine[], around: number): (DiffLine | null)[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') for (let i = at - around; i <= at + around; i++) near.add(i);
  });
  const shown: (DiffLine | null)[] = [];
  lines.forEach((line, at) => {
    if (near.has(at)) shown.push(line);
    else if (shown.at(-1) !== null) shown.push(null);
  });
  return shown;
}
