import { expect, it } from 'vitest';
import { SourceTree } from './architecture/source-tree.ts';
import { reachedTests } from './reached-tests.ts';

const tree = new SourceTree({
  'db/a/one.ts': '',
  'db/a/two.ts': `import { one } from './one.ts';`,
  'db/a/type.ts': `import type { One } from './one.ts';`,
  'db/a/two.test.ts': `import { two } from './two.ts';`,
  'db/a/type.test.ts': `import { type } from './type.ts';`,
  'db/a/two.slow.test.ts': `import { two } from './two.ts';`,
  'site/two.db.test.ts': `import { two } from '#db/a/two.ts';`,
  'site/three.test.tsx': `import { two } from '#db/a/two.ts';`,
  'bin/handbooks.test.ts': '',
  'content/messages.test.ts': '',
  'boundaries.test.ts': '',
});
const always = ['boundaries.test.ts', 'content/messages.test.ts'];

it('runs the tests that load what changed, by what they need', () => {
  expect(reachedTests(tree, ['db/a/one.ts'])).toEqual({
    unit: [...always, 'db/a/two.test.ts', 'site/three.test.tsx'].sort(),
    postgres: ['site/two.db.test.ts'],
  });
});

it('runs a test that changed', () => {
  expect(reachedTests(tree, ['db/a/type.test.ts']).unit).toContain('db/a/type.test.ts');
});

it('runs the tests beside a file that is no code, and those of texts after a change of one', () => {
  expect(reachedTests(tree, ['db/a/table.sql']).unit).toEqual(
    [...always, 'db/a/two.test.ts', 'db/a/type.test.ts'].sort(),
  );
  expect(reachedTests(tree, ['content/docs/operators/limits.md']).unit).toContain('bin/handbooks.test.ts');
});

it('runs the tests that read all sources after every change', () => {
  expect(reachedTests(tree, ['e2e/x.e2e.ts'])).toEqual({ unit: always, postgres: [] });
});
