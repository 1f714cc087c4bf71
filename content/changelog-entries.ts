import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The products whose changes the changelog tells, in the order of its tabs. Source: specification §3 (Changelog entry). */
export const changelogProducts = ['web', 'servers', 'app'] as const;
export type ChangelogProduct = (typeof changelogProducts)[number];

/** The headings that changes stand under, in this order. */
export const changeGroups = ['Added', 'Changed', 'Fixed'] as const;
export type ChangeGroup = (typeof changeGroups)[number];

/** What is wrong with a file; `file` is relative to the folder of the entries, lines count from 1. */
export interface EntryProblem {
  file: string;
  line: number;
  problem: string;
}

export const isChangelogProduct = (name: string): name is ChangelogProduct =>
  (changelogProducts as readonly string[]).includes(name);

/** Whether `text` is an existing day in the form `2026-11-22`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && onlyDay(new Date(text)) === text;

/** The day of a time in UTC. */
export const onlyDay = (time: Date): string => time.toISOString().slice(0, 10);

/** Where the front matter of an entry ends: its lines with both rules, and the lines of the body. */
export function partsOfEntry(text: string): { matter: string[]; body: string[] } {
  const lines = text.split(/\r?\n/);
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  return { matter: lines.slice(0, end + 1), body: lines.slice(end + 1) };
}

/** What is wrong with the text of one entry. Its front matter is checked by the schema of the build. */
export function problemsOfText(file: string, text: string): EntryProblem[] {
  const { matter, body } = partsOfEntry(text);
  const problem = (at: number, problem: string) => ({ file, line: matter.length + at + 1, problem });
  if (isBlank(body)) return [problem(0, 'has no text')];
  const headings = headingsIn(body);
  return headings.flatMap(({ at, signs, text: group }, number) => {
    const before = headings.slice(0, number).map((one) => one.text);
    const place = placeOf(group);
    if (signs !== '##' || place === -1)
      return [problem(at, `has the heading “${group}”; known are ${known_headings}`)];
    if (before.includes(group)) return [problem(at, `has “${group}” twice`)];
    if (before.some((earlier) => placeOf(earlier) > place))
      return [problem(at, `has “${group}” too late; the order is ${known_headings}`)];
    if (isBlank(body.slice(at + 1, headings[number + 1]?.at)))
      return [problem(at, `says nothing below “${group}”`)];
    return [];
  });
}

const known_headings = changeGroups.map((group) => `## ${group}`).join(', ');
const placeOf = (group: string): number => (changeGroups as readonly string[]).indexOf(group);
const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === '');

/** The headings of a body with the number of their line, counted from 0; code has none. */
export function headingsIn(body: readonly string[]): Array<{ at: number; signs: string; text: string }> {
  let in_code = false;
  return body.flatMap((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) in_code = !in_code;
    const found = in_code ? null : /^(#+)\s(.*)$/s.exec(line);
    return found ? [{ at, signs: found[1] ?? '', text: (found[2] ?? '').trim() }] : [];
  });
}

/** What is wrong with the name of a file; null when it is that of an entry. */
function problemOfName(file: string): string | null {
  const [product = '', name = '', ...deeper] = file.split('/');
  if (deeper.length > 0 || name === '') return 'lies elsewhere than in <product>/<YYYY-MM-DD>.md';
  if (!isChangelogProduct(product))
    return `is of the unknown product “${product}”; known are ${changelogProducts.join(', ')}`;
  if (!name.endsWith('.md') || !isDay(name.slice(0, -3))) return 'is not named after a day: <YYYY-MM-DD>.md';
  return null;
}

/** What is wrong with all entries below `folder` (`<product>/<YYYY-MM-DD>.md`), in the order of their files. */
export function problemsOfChangelog(folder: string): EntryProblem[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  return files.flatMap((file) => {
    const problem = problemOfName(file);
    return problem
      ? [{ file, line: 1, problem }]
      : problemsOfText(file, readFileSync(join(folder, file), 'utf8'));
  });
}

/** A problem as a line that names file and line, as compilers do. */
export const problemLine = ({ file, line, problem }: EntryProblem): string =>
  `content/changelog/${file}:${line}: ${problem}`;
