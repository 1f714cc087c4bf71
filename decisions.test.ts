import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The decisions have one form, numbers in the order of their dates, and a row each in the table of their README. */
const folder = new URL('docs/decisions/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort();

const form =
  /^# (\d{4}) ([^\n]+)\n\nDate: (\d{4}-\d\d-\d\d)\n\n## Context\n\n.+\n## Decision\n\n.+\n## Consequences\n\n.+\n$/s;

describe('decisions', () => {
  it('have a heading, a date, a context, a decision and consequences', () => {
    expect(names.filter((name) => !form.test(read(name)))).toEqual([]);
  });

  it('are numbered without gaps, in the order of their dates', () => {
    expect(names.map((name) => name.slice(0, 5))).toEqual(
      names.map((_, at) => `${String(at + 1).padStart(4, '0')}-`),
    );
    const dates = names.map((name) => form.exec(read(name))?.[3]);
    expect(dates).toEqual([...dates].sort());
  });

  it('are in the table of the README, in order', () => {
    const rows = names.map((name) => {
      const [, number, title, date] = form.exec(read(name)) ?? [];
      return `| [${number}](${name}) | ${date} | ${title} |`;
    });
    const table = read('README.md')
      .split('\n')
      .filter((line) => line.startsWith('| ['));
    expect(table).toEqual(rows);
  });
});
