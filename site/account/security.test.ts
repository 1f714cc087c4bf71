import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('./SECURITY.md', import.meta.url), 'utf8');
/** The rows of the table of requirements. */
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, id, , , shown]) => ({ id: id!, shown: shown!.trim() }),
);

/** The requirements of levels 1 and 2, by section: how many there are, and which are of level 3. */
const sections: Record<string, [count: number, level_3: number[]]> = {
  '6.1': [3, []],
  '6.2': [12, []],
  '6.3': [8, [5, 6, 7, 8]],
  '6.4': [6, [5, 6]],
  '6.5': [8, [6, 7, 8]],
  '6.6': [4, [4]],
  '6.8': [4, []],
  '7.1': [3, []],
  '7.2': [4, []],
  '7.3': [2, []],
  '7.4': [5, []],
  '7.5': [3, [3]],
  '7.6': [2, []],
  '8.1': [4, [3, 4]],
  '8.2': [4, [4]],
  '8.3': [3, [2, 3]],
  '8.4': [2, [2]],
  '10.1': [2, []],
  '10.2': [3, [3]],
  '10.3': [5, [5]],
  '10.4': [16, [12, 13, 14, 15, 16]],
  '10.5': [5, []],
  '10.6': [2, []],
  '10.7': [3, []],
};

test('every requirement of levels 1 and 2 of V6, V7, V8 and V10 has one row', () => {
  const wanted = Object.entries(sections).flatMap(([section, [count, level_3]]) =>
    Array.from({ length: count }, (_, i) => i + 1)
      .filter((number) => !level_3.includes(number))
      .map((number) => `${section}.${number}`),
  );
  expect(rows.map(({ id }) => id)).toEqual(wanted);
});

test.each(rows)('$id is shown by tests that exist, or by the document', ({ shown }) => {
  if (shown === 'document') return;
  const proofs = shown.split('<br>').map((proof) => /^`([^`]+)` "(.+)"$/.exec(proof));
  expect(proofs).not.toContain(null);
  for (const [, path, title] of proofs as RegExpExecArray[])
    expect(readFileSync(new URL(path!, root), 'utf8'), path).toContain(title);
});
