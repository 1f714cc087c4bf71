import { describe, expect, it } from 'vitest';
import { brokenSources, sectionsOf, standardsOf } from './source-lines.ts';

const index = {
  documents: new Map([
    [
      'hosting',
      sectionsOf(
        '# Hosting\n\n## 5 Protocol\n\n### 5.3 Traffic\n\n### 1a Images\n\n## A.4 Pages\n\n# E More\n',
      ),
    ],
  ]),
  standards: standardsOf('| name | what |\n| --- | --- |\n| RFC 9110 | HTTP |\n| proc(5) | Linux |\n'),
};
/** The samples write the marker as `@`, so that they are not matched in this file. */
const reasons = (path: string, sample: string): string[] =>
  brokenSources(path, sample.replace('@', 'Source: '), index).map(({ line, reason }) => `${line}: ${reason}`);

describe('brokenSources', () => {
  it.each([
    '/** Text. @hosting §5.3. */',
    ' * @hosting §5, §5.3 (a note), §1a; RFC 9110 §12.5.3; proc(5). More text.',
    '// @hosting §A.4, §E',
    '-- @RFC 9110 (range).',
    ' * Text. @hosting\n * §5.3 (a\n * note).\n */',
    ' * Text. Source:\n * hosting §5.3.\n */',
  ])('accepts %s', (line) => {
    expect(reasons('a.ts', line)).toEqual([]);
  });
  it.each([
    ['// @hostings §5.3.', '1: no document or standard of this name: hostings §5.3.'],
    ['// @issue 6 item 4.', '1: no document or standard of this name: issue 6 item 4.'],
    ['\n * @hosting §5.4.', '2: hosting has no section 5.4'],
    ['// @hosting §5; RFC 9110 §1; hosting §9. */', '1: hosting has no section 9'],
    ['/**\n * @hosting\n * §9.\n */', '2: hosting has no section 9'],
    ['// @hosting.', '1: hosting: which section?'],
    ['// @hosting §5, RFC 9110.', '1: not of the form "document §1, §2 (note); document §3.": , RFC 9110.'],
  ])('refuses %s', (sample, reason) => {
    expect(reasons('a.ts', sample)).toEqual([reason]);
  });
  it('ignores code, and checks every line of Markdown', () => {
    expect(reasons('a.ts', "mounts = [{ @folder, Target: '/probe' }];")).toEqual([]);
    expect(reasons('a.ts', 'const open@Tree = all;')).toEqual([]);
    expect(reasons('README.md', '@nowhere §1.')).toHaveLength(1);
  });
});
