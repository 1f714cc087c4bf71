import { describe, expect, it } from 'vitest';
import { inSource, shadowsOf } from './astro-shadows.ts';
import { problemsIn } from './type-check.ts';

const source = `---
const wrong: number = 'text';
---

<p>{wrong}</p>
<script>
  const other: string = 5;
</script>
`;
const place = (text: string, found: string) => {
  const lines = text.slice(0, text.indexOf(found)).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
};

describe('the shadow of an Astro file', () => {
  const { shadows, problems } = shadowsOf('site/x/Some.astro', source);
  const [page, script] = shadows;

  it('is its TSX, and one module for each of its scripts', () => {
    expect(problems).toEqual([]);
    expect(shadows.map(({ path }) => path)).toEqual([
      '.tmp/types/site/x/Some.astro.tsx',
      '.tmp/types/site/x/Some.astro.0.mts',
    ]);
    expect(script!.text).toContain('const other: string = 5;');
  });

  it.each([
    ['the frontmatter', 'wrong: number', () => page!],
    ['the template', 'wrong}</p>', () => page!],
    ['a script', 'other: string', () => script!],
  ])('leads back to the line and column in %s', (_where, text, shadow) => {
    const one = shadow();
    const problem = { path: one.path, message: 'TS1: no', ...place(one.text, text) };
    expect(inSource(problem, one, source)).toEqual({
      ...{ path: 'site/x/Some.astro', message: 'TS1: no' },
      ...place(source, text),
    });
  });

  it('has types of its own at its end, in which nothing is a problem of the source', () => {
    const last = { path: page!.path, message: 'TS1: no', line: page!.text.split('\n').length, column: 1 };
    expect(inSource(last, page!, source)).toBeNull();
  });

  it('says what is wrong with the syntax', () => {
    const broken = shadowsOf('site/x/Broken.astro', '<div>\n{[1, 2}\n</div>');
    expect(broken.problems[0]).toMatchObject({ path: 'site/x/Broken.astro', line: 2 });
  });
});

describe('what the compiler prints', () => {
  it('is read with the lines that belong to a problem', () => {
    const output = [
      'site/a.ts(3,7): error TS2322: Type A is not B.',
      '  Property x is missing.',
      '.tmp/types/site/b.astro.tsx(1,1): error TS1108: A return outside a function.',
      'db/c.ts(1,1): error TS1108: A return outside a function.',
      '',
    ].join('\n');
    expect(problemsIn(output)).toEqual([
      {
        path: 'site/a.ts',
        line: 3,
        column: 7,
        message: 'TS2322: Type A is not B.\n  Property x is missing.',
      },
      { path: 'db/c.ts', line: 1, column: 1, message: 'TS1108: A return outside a function.' },
    ]);
  });
});
