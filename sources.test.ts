import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  brokenSources,
  type SpecificationIndex,
  sectionsOf,
  standardsOf,
} from './bin/architecture/source-lines.ts';
import { folders, projectSources } from './bin/architecture/source-tree.ts';
import { root } from './bin/install.mjs';

/** Every `Source:` leads to a section of `docs/spec` or to a standard that `docs/spec/standards.md` names. */
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const specification: SpecificationIndex = {
  documents: new Map(
    globSync('docs/spec/*.md', { cwd: root }).map((path) => [basename(path, '.md'), sectionsOf(read(path))]),
  ),
  standards: standardsOf(read('docs/spec/standards.md')),
};

function files(): Map<string, string> {
  const tree = projectSources();
  const texts = new Map(tree.paths.map((path) => [path, tree.text(path)]));
  const others = [...folders.map((folder) => `${folder}/**/*.{sql,css,md}`), '*.{ts,mjs,md}'];
  const skip = (path: string): boolean => path.endsWith('node_modules');
  for (const path of globSync(others, { cwd: root, exclude: skip })) texts.set(path, read(path));
  return texts;
}

describe('documents', () => {
  const documents = ['*.md', '*/README.md', '{db,site}/**/{README,SECURITY}.md', 'docs/**/*.md'];
  const named = new RegExp(
    `\`((?:${folders.join('|')}|docs)/[\\w./-]+\\.(?:tsx?|astro|mjs|md|json|css|sql|yml))\``,
    'g',
  );

  /** Names that stand for any test, or for what a test must not be called. */
  const examples = ['x.test.ts', 'x.db.test.ts', 'project.test.ts', '_project.test.ts'];

  const paths = globSync(documents, { cwd: root, exclude: (path) => path.endsWith('node_modules') });

  it('link to files that exist', () => {
    const broken = paths.flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
        .map(([, to = '']) => to)
        .filter((to) => !/^(https?:|mailto:)/.test(to) && !existsSync(join(root, dirname(path), to)))
        .map((to) => `${path}: ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it('name files that exist, from the root or beside them', () => {
    const missing = paths.flatMap((path) =>
      [...read(path).matchAll(named)]
        .map(([, file = '']) => file)
        .filter((file) => !file.includes('NNNN'))
        .filter((file) => ![root, join(root, dirname(path))].some((from) => existsSync(join(from, file))))
        .map((file) => `${path}: ${file}`),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it('name tests that exist, wherever they are', () => {
    const tests = globSync(['*.test.ts', `{${folders.join(',')}}/**/*.test.ts`], {
      cwd: root,
      exclude: (path) => path.endsWith('node_modules'),
    }).map((path) => basename(path));
    const missing = paths.flatMap((path) =>
      [...read(path).matchAll(/`([\w.-]+\.test\.ts)`/g)]
        .map(([, file = '']) => file)
        .filter((file) => !examples.includes(file) && !tests.includes(file))
        .map((file) => `${path}: ${file}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('Source: lines', () => {
  it('lead to a section that exists', () => {
    const broken = [...files()].flatMap(([path, text]) => brokenSources(path, text, specification));
    expect(broken.map(({ path, line, reason }) => `${path}:${line}: ${reason}`)).toEqual([]);
  });
  it('are found in every kind of code', () => {
    const known = [...files()].filter(([, text]) => /Source: \w/.test(text)).map(([path]) => path);
    for (const extension of ['.ts', '.tsx', '.astro'])
      expect(known.some((path) => path.endsWith(extension))).toBe(true);
  });
});
