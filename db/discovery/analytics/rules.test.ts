import { describe, expect, it } from 'vitest';
import { countsAsPlayed, projectOfPage, whyNotView } from './rules.ts';

describe('a view', () => {
  const origins = ['https://cairn.example', 'https://other.example'];
  it.each([
    ['https://cairn.example/mod/x', null],
    ['https://cairn.example:443/', null],
    ['https://other.example', null],
    ['http://cairn.example/', 'url_foreign'],
    ['https://cairn.example:8443/', 'url_foreign'],
    ['https://cairn.example.evil.test/', 'url_foreign'],
    ['https://evil.test/?https://cairn.example', 'url_foreign'],
    ['javascript:alert(1)', 'url_foreign'],
    ['/mod/x', 'url_foreign'],
    ['', 'url_foreign'],
  ])('of %s: %s', (url, why) => {
    expect(whyNotView(url, origins)).toBe(why);
  });

  it.each([
    ['/mod/lanternroot', 'lanternroot'],
    ['/shader/AABBCCDD/versions', 'AABBCCDD'],
    ['/datapack/a%2Db/', 'a-b'],
    ['/resourcepack/x', 'x'],
    ['/plugin/x', 'x'],
    ['/modpack/x', 'x'],
    ['/mods', null],
    ['/mod', null],
    ['/mod/', null],
    ['/user/x', null],
    ['/de/mod/x', null],
    ['/mod/%E0%A4%A', null],
    [`/mod/${'x'.repeat(65)}`, null],
  ])('of the path %s is of the project %s', (path, name) => {
    expect(projectOfPage(path)).toBe(name);
  });
});

it.each([
  [0, false],
  [1, true],
  [300, true],
  [301, false],
])('%i seconds count as played: %s', (seconds, counts) => {
  expect(countsAsPlayed(seconds)).toBe(counts);
});
