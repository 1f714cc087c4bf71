import { describe, expect, it } from 'vitest';
import { downloadMetaOf } from './download-meta.ts';

const path = '/data/AAAA1111/versions/BBBB2222/mod.jar';
const header = (value: unknown) => ({
  'modrinth-download-meta': typeof value === 'string' ? value : JSON.stringify(value),
});
const full = { reason: 'modpack', game_version: '1.21.1', loader: 'fabric', dependent_on: 'AABBCCDD' };

describe('what a download says about itself', () => {
  it('is read from the header, or else from the query', () => {
    expect(downloadMetaOf(header(full), path)).toEqual(full);
    const query =
      'mr_download_reason=modpack&mr_game_version=1.21.1&mr_loader=fabric&mr_dependent_on=AABBCCDD';
    expect(downloadMetaOf({}, `${path}?${query}`)).toEqual(full);
    expect(downloadMetaOf(header({ reason: 'update' }), `${path}?${query}`)).toEqual({ reason: 'update' });
    expect(downloadMetaOf(header('{'), `${path}?${query}`)).toEqual(full);
  });

  it.each([
    ['reason', 'stolen'],
    ['game_version', "1.21'; --"],
    ['game_version', 'x'.repeat(65)],
    ['game_version', 'a\0'],
    ['loader', 'toaster'],
    ['dependent_on', 'not an id'],
    ['dependent_on', 7],
    ['dependent_on', null],
  ])('loses only a bad %s: %j', (name, value) => {
    const { [name as keyof typeof full]: _, ...rest } = full;
    expect(downloadMetaOf(header({ ...full, [name]: value }), path)).toEqual(rest);
  });

  it.each(['', '{', '[]', 'null', '7', '{}', JSON.stringify({ reason: 'x'.repeat(2000) })])(
    'is nothing in %s',
    (text) => {
      expect(downloadMetaOf(header(text), path)).toBeNull();
    },
  );
  it('is nothing in odd queries', () => {
    for (const query of ['?', '?x', '?mr_loader=%ZZ', '?mr_loader=%00', `?mr_loader=${'x'.repeat(2000)}`])
      expect(downloadMetaOf({}, path + query), query).toBeNull();
  });
});
