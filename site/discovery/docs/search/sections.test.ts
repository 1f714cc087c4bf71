import { describe, expect, it } from 'vitest';
import { sectionsOf } from './sections.ts';

const page = { title: 'Backups', description: 'What to save.', path: '/docs/operators/backups' };
const body = [
  'Save **both**, see [nodes](/docs/operators/nodes).',
  '',
  '## Restore it',
  '',
  '| where | what |',
  '| --- | :-: |',
  '| `DATA_DIR` | files |',
  '',
  '   ```sh runnable',
  '   # no heading',
  '   npm start',
  '   ```',
].join('\n');
const headings = [{ slug: 'restore-it', text: 'Restore it' }];

describe('sections of a handbook page', () => {
  it('are its beginning and what follows each heading, as words', () => {
    expect(sectionsOf({ ...page, body }, headings)).toEqual([
      { page: 'Backups', heading: 'Backups', path: page.path, text: 'What to save. Save both, see nodes.' },
      {
        page: 'Backups',
        heading: 'Restore it',
        path: `${page.path}#restore-it`,
        text: 'where what DATA_DIR files # no heading npm start',
      },
    ]);
  });

  it('fail when text and page do not have the same headings', () => {
    expect(() => sectionsOf({ ...page, body }, [])).toThrow(/1 headings in the text, 0 on the page/);
  });

  it('are bounded', () => {
    const [first] = sectionsOf({ ...page, body: 'word '.repeat(5_000) }, []);
    expect(first!.text.length).toBeLessThanOrEqual(6_000);
  });
});
