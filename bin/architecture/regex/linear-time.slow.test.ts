import { expect, it } from 'vitest';
import { seedsOf, slowSeeds } from '../../../db/testing/linear-time.ts';
import { isTest } from '../contents.ts';
import { projectSources } from '../source-tree.ts';
import { ownTexts } from './exceptions.ts';
import { findPatterns } from './find-patterns.ts';

/** What `linear-patterns.test.ts` judges is measured here, with texts of each pattern's own letters. */
const tree = projectSources();
const product = tree.paths.filter(
  (path) => /^(?:db|site|control-plane|agents|content)\//.test(path) && !isTest(path) && !(path in ownTexts),
);
const { literals } = findPatterns(tree, product);
const patterns = new Map(
  literals
    .filter(({ source }) => /[*+}]/.test(source))
    .map(({ source, flags, ...place }) => [`/${source}/${flags}`, { source, flags, ...place }]),
);

/** Signs that most patterns take, beside their own. */
const common = [' ', '\n', 'a', '-', '[](', '<a '];

it('each pattern of the product takes linear time with whatever is repeated', () => {
  const slow = [...patterns.values()].flatMap(({ path, line, source, flags }) => {
    const pattern = new RegExp(source, flags);
    const work = (text: string) => (pattern.global ? text.replace(pattern, '') : pattern.exec(text));
    const found = slowSeeds(work, [...new Set([...seedsOf(source), ...common])]);
    return found.map((seed) => `${path}:${line}: /${source}/${flags} with ${seed}`);
  });
  expect(slow).toEqual([]);
}, 120_000);

it('notices what does not', () => {
  const squared = (text: string) => {
    let sum = 0;
    for (let start = 0; start < text.length; start += 2048)
      for (let at = start; at < text.length; at += 1) sum = (sum + text.charCodeAt(at)) | 0;
    return sum;
  };
  expect(slowSeeds(squared, ['a'])).toHaveLength(1);
}, 120_000);
