import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { placeOfAddress } from './place-of-address.ts';

/** Values as the format of such databases writes them: maps, texts up to 28 bytes, numbers, lists. */
const text = (value: string) => Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
const map = (entries: Array<[string, Buffer]>) =>
  Buffer.concat([
    Buffer.from([(7 << 5) | entries.length]),
    ...entries.flatMap(([key, value]) => [text(key), value]),
  ]);
const short = (value: number) => Buffer.from([(5 << 5) | 2, value >> 8, value & 255]);
const long = (value: number) => Buffer.from([(6 << 5) | 4, 0, 0, value >> 8, value & 255]);

/** A database that knows only 198.51.100.0/24. */
function database(): Buffer {
  const prefix = [198, 51, 100].flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number));
  const tree = Buffer.alloc(prefix.length * 6);
  prefix.forEach((bit, at) => {
    const next = at + 1 < prefix.length ? at + 1 : prefix.length + 16;
    tree.writeUIntBE(bit === 0 ? next : prefix.length, at * 6, 3);
    tree.writeUIntBE(bit === 1 ? next : prefix.length, at * 6 + 3, 3);
  });
  const data = map([
    ['city', map([['names', map([['en', text('Leipzig')]])]])],
    ['country', map([['iso_code', text('DE')]])],
  ]);
  const about = map([
    ['binary_format_major_version', short(2)],
    ['binary_format_minor_version', short(0)],
    ['build_epoch', long(1)],
    ['database_type', text('Test')],
    ['description', map([])],
    ['ip_version', short(4)],
    ['languages', Buffer.from([0, 4])],
    ['node_count', long(prefix.length)],
    ['record_size', short(24)],
  ]);
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    about,
  ]);
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-places-'));
afterAll(() => rmSync(folder, { recursive: true }));
const log = pino({ level: 'silent' });
const at = (path: string | undefined) => ({ log, settings: parseSettings({ GEOIP_DATABASE: path }) });

test('an address in the database has a place, others have none', async () => {
  const path = join(folder, 'places.mmdb');
  writeFileSync(path, database());
  expect(await placeOfAddress('198.51.100.7', at(path))).toEqual({ city: 'Leipzig', country: 'DE' });
  for (const other of ['203.0.113.9', 'nonsense', ''])
    expect(await placeOfAddress(other, at(path))).toEqual({ city: null, country: null });
});

test('without a database, or with a broken one, no place is known', async () => {
  const path = join(folder, 'broken.mmdb');
  writeFileSync(path, 'no database');
  for (const given of [undefined, path, join(folder, 'missing.mmdb')])
    expect(await placeOfAddress('198.51.100.7', at(given))).toEqual({ city: null, country: null });
});
