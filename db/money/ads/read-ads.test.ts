import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings, SettingError } from '../../platform/runtime/env.ts';
import { openAdNetwork } from './open.ts';
import { readAds } from './read-ads.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-ads-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, matter: string[], text = 'Mugs as heavy as a mountain.') =>
  writeFileSync(join(folder, name), ['---', ...matter, '---', '', text, ''].join('\n'));
const right = ['title: Stone mugs', 'link: https://mugs.example/'];
const picture = ['image: mugs.png', 'width: 600', 'height: 240', 'image_alt: Three mugs'];

describe('a folder of ads', () => {
  it('gives ads with what they leave out', () => {
    put('mugs.md', right, 'Mugs as heavy\nas a mountain.\n');
    writeFileSync(join(folder, 'README.md'), 'How we write ads');
    const { ads, problems } = readAds(folder);
    expect(problems).toEqual([]);
    expect(ads).toEqual([
      {
        ...{ id: 'mugs', title: 'Stone mugs', text: 'Mugs as heavy as a mountain.' },
        ...{ link: 'https://mugs.example/', picture: null, from: null, until: null },
        ...{ weight: 1, places: ['search', 'project'] },
      },
    ]);
  });

  it('gives pictures an address that changes with their bytes', () => {
    put('mugs.md', [...right, ...picture]);
    writeFileSync(join(folder, 'mugs.png'), 'one');
    const first = readAds(folder);
    const { path } = first.ads[0]!.picture!;
    expect(first.ads[0]!.picture).toEqual({ path, width: 600, height: 240, alt: 'Three mugs' });
    expect(path).toMatch(/^\/ads\/[0-9a-f]{12}\.png$/);
    expect(first.files.get(path)).toEqual({ type: 'image/png', bytes: Buffer.from('one') });
    writeFileSync(join(folder, 'mugs.png'), 'other');
    expect(readAds(folder).ads[0]!.picture!.path).not.toBe(path);
  });

  it.each<[string, string[], string]>([
    ['an unknown key', [...right, 'wieght: 3'], '4: front matter: Unrecognized key: "wieght"'],
    ['no link', ['title: Mugs'], '1: link: Invalid input'],
    ['a link of another kind', ['title: Mugs', 'link: javascript:alert(1)'], '3: link: must be an address'],
    ['a link to another host by two slashes', ['title: Mugs', 'link: //x.example'], '3: link: must be'],
    ['a day that does not exist', [...right, 'until: 2026-02-30'], '4: until: must be a date that exists'],
    ['an end before its start', [...right, 'from: 2026-03-02', 'until: 2026-03-01'], '5: until: is before'],
    ['a weight of nothing', [...right, 'weight: 0'], '4: weight: Too small'],
    ['an unknown place', [...right, 'places: [legal]'], '4: places.0: Invalid option'],
    ['no place', [...right, 'places: []'], '4: places: Too small'],
    ['a picture without its size', [...right, 'image: mugs.png'], '4: image: needs width too'],
    ['a picture elsewhere', [...right, 'image: ../mugs.png'], '4: image: must be the name of a file'],
    ['a picture that is missing', [...right, ...picture], '4: image: there is no file mugs.png beside it'],
    [
      'a picture of no known kind',
      [...right, 'image: mugs.exe', ...picture.slice(1)],
      '4: image: must end in',
    ],
    ['broken front matter', ['title: [', ...right], '3: '],
  ])('names file, line and mistake: %s', (_what, matter, said) => {
    put('mugs.md', matter);
    put('plates.md', right);
    const { ads, problems } = readAds(folder);
    expect(problems[0]).toContain(`mugs.md:${said}`);
    expect(ads.map(({ id }) => id)).toEqual(['plates']);
  });

  it('refuses texts that are missing or too long, names that are no names, and huge pictures', () => {
    put('mugs.md', right, '');
    put('plates.md', right, 'x'.repeat(201));
    put('Big Ad.md', right);
    put('walls.md', [...right, ...picture]);
    writeFileSync(join(folder, 'mugs.png'), Buffer.alloc(200 * 1024 + 1));
    writeFileSync(join(folder, 'plain.md'), 'Buy mugs');
    expect(readAds(folder).problems).toEqual([
      'Big Ad.md:1: the file name names the ad: use small letters, digits and hyphens',
      'mugs.md:4: the text below the front matter needs 1 to 200 characters',
      'plain.md:1: has no front matter between two lines of ---',
      'plates.md:4: the text below the front matter needs 1 to 200 characters',
      'walls.md:4: image: mugs.png has 201 kB: make it smaller than 200 kB',
    ]);
  });
});

describe('the setting ADS', () => {
  const open = (env: Record<string, string> = {}) =>
    openAdNetwork(parseSettings({ ADS: 'own', ADS_DIR: folder, ...env }));

  it('is off by default, and reads nothing then', () => {
    put('mugs.md', ['title: Mugs']);
    expect(openAdNetwork(parseSettings({ ADS_DIR: folder }))).toBeNull();
  });

  it('refuses a start with mistakes, and one without ads', () => {
    expect(open).toThrow(SettingError);
    expect(open).toThrow(`${folder} has no ads`);
    put('mugs.md', [...right, 'weight: lots']);
    expect(open).toThrow(`${folder}/mugs.md:4: weight: `);
  });

  it('gives ads to places', () => {
    put('mugs.md', [...right, 'places: [project]']);
    const at = new Date('2026-11-27T10:00:00Z');
    expect(open()?.adFor('project', '/mod/x', at)).toMatchObject({ id: 'mugs' });
    expect(open()?.adFor('search', '/mods', at)).toBeNull();
    expect([open()?.has('mugs'), open()?.has('plates')]).toEqual([true, false]);
  });
});
