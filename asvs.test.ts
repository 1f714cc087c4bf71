import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const at = (path: string) => new URL(path, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');

/** Where rows stand: those of some chapters with the rules of accounts, all others in one table. */
const documents = ['docs/security/asvs.md', 'site/accounts/sign-in/SECURITY.md'];
const ofAccounts = new Set(['6', '7', '8', '10']);

interface Row {
  id: string;
  path: string;
  how: string;
  shown: string;
}
const rowsOf = (path: string): Row[] =>
  [...read(path).matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, id, , how, shown]) => ({ id: id!, path, how: how!.trim(), shown: shown!.trim() }),
  );
const rows = documents.flatMap(rowsOf);

/** The requirements of levels 1 and 2: of each section one digit for each requirement, which is its level. */
const wanted = Object.entries(JSON.parse(read('docs/security/asvs.json')) as Record<string, string>).flatMap(
  ([section, levels]) =>
    [...levels].flatMap((level, index) => (level === '3' ? [] : [`${section}.${index + 1}`])),
);

test.each(documents)('every requirement of levels 1 and 2 has one row in %s, in order', (path) => {
  const isHere = (id: string) => ofAccounts.has(id.split('.')[0]!) === (path === documents[1]);
  expect(rowsOf(path).map(({ id }) => id)).toEqual(wanted.filter(isHere));
});

test('the list of requirements is whole', () => {
  const levels = Object.values(JSON.parse(read('docs/security/asvs.json')) as Record<string, string>).join(
    '',
  );
  expect(['1', '2', '3'].map((level) => levels.split(level).length - 1)).toEqual([70, 183, 92]);
});

/** Whether a document has a heading that links to it by `anchor`. */
const hasHeading = (url: URL, anchor: string): boolean =>
  [...readFileSync(url, 'utf8').matchAll(/^#+ (.+)$/gm)].some(
    ([, text]) =>
      text!
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-') === anchor,
  );

/** What a row says instead of a test: headings and links that exist, or some words. */
function assertReason({ path, how, shown }: Row): void {
  if (shown === 'none') expect(how).toMatch(/^(?:Does not apply|No|Not yet)\b/);
  const heading = /^"(.+)"$/.exec(how)?.[1];
  const links = [...how.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)];
  for (const [, target, anchor] of links) {
    const url = new URL(target!, at(path));
    expect(existsSync(url), target).toBe(true);
    if (anchor) expect(hasHeading(url, anchor), `${target}#${anchor}`).toBe(true);
  }
  if (heading !== undefined) expect(read(path)).toMatch(new RegExp(`^#+ ${heading}$`, 'm'));
  else if (links.length === 0) expect(how.split(/\s+/).length, how).toBeGreaterThanOrEqual(3);
}

test.each(rows)('$id is shown by tests that exist, or has a reason', (row) => {
  if (row.shown === 'document' || row.shown === 'none') return assertReason(row);
  const proofs = row.shown.split('<br>').map((proof) => /^`([^`]+)` "(.+)"$/.exec(proof));
  expect(proofs).not.toContain(null);
  for (const [, path, title] of proofs as RegExpExecArray[]) expect(read(path!), path).toContain(title);
});
