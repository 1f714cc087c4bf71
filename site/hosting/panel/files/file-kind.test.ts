import { expect, it } from 'vitest';
import { kindOf, max_text_bytes, modeOf, opens } from './file-kind.ts';

const file = (name: string, bytes = 10) => ({ name, bytes, type: 'file' as const });

it.each([
  ['ops.json', 'text', 'json', 'editor'],
  ['config.YML', 'text', 'yaml', 'editor'],
  ['snowline.toml', 'text', 'toml', 'editor'],
  ['server.properties', 'text', 'properties', 'editor'],
  ['start.sh', 'text', 'sh', 'editor'],
  ['latest.log', 'text', 'plain', 'editor'],
  ['LICENSE', 'file', 'plain', 'editor'],
  ['constructor', 'file', 'plain', 'editor'],
  ['icon.png', 'image', 'plain', 'image'],
  ['world.tar.gz', 'archive', 'plain', 'unpack'],
  ['backup.tar.zst', 'archive', 'plain', 'unpack'],
  ['r.0.0.mca', 'file', 'plain', null],
  ['level.dat', 'file', 'plain', null],
])('%s is %s, colored as %s, and opens %s', (name, kind, mode, what) => {
  expect([kindOf(file(name)), modeOf(name), opens(file(name))]).toEqual([kind, mode, what]);
});

it('opens folders, no links, and no text that is too large', () => {
  expect(opens({ name: 'x.json', type: 'directory', bytes: 0 })).toBe('folder');
  expect(opens({ name: 'x.json', type: 'link', bytes: 0 })).toBe(null);
  expect(opens(file('x.json', max_text_bytes))).toBe('editor');
  expect(opens(file('x.json', max_text_bytes + 1))).toBe(null);
});
