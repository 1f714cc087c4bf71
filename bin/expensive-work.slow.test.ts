import { expect, it } from 'vitest';
import { numberedLines } from '#site/platform/logs/numbered-lines.ts';
import { boundedJson } from '#site/platform/upload/bounded-body.ts';
import {
  altMissing,
  headersLong,
  imagesHeavy,
  readableLength,
} from '../db/catalogue/checklist/text/rules.ts';
import { debugBundleAside } from '../db/hosting/servers/debug/aside.ts';
import { changePropertiesAside, readPropertiesAside } from '../db/hosting/servers/properties/aside.ts';
import { processGallery } from '../db/platform/files/image.ts';
import { readModpackIndexAside } from '../db/platform/files/mrpack-aside.ts';

/**
 * What one person may send, at its largest and worst, occupies the thread that everybody shares for at most a tenth of a second.
 * Counted is the processor time of that thread: waiting for other threads and other programs is free.
 * `docs/security/expensive-work.md` lists all of it.
 */
const most_ms = 100;

const fill = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
const kibi = 1024;

/** A picture without compression: 5 MiB of pixels. */
function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 24) / 32) * 4;
  const bytes = Buffer.alloc(54 + row * height, 0x55);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE(0, 30);
  bytes.writeUInt32LE(row * height, 34);
  return bytes;
}

const packFile = (at: number) => ({
  path: `mods/${at}.jar`,
  hashes: { sha1: 'a'.repeat(40), sha512: 'b'.repeat(128) },
  downloads: [`https://cdn.modrinth.com/data/${at}`],
  fileSize: 1,
});
const pack = Buffer.from(
  JSON.stringify({
    ...{ game: 'minecraft', formatVersion: 1, versionId: '1', name: 'Lantern pack' },
    files: Array.from({ length: 10_000 }, (_, at) => packFile(at)),
    dependencies: { minecraft: '1.21' },
  }),
);
const archive = { names: [], read: async () => pack };

const passwords = Array.from({ length: 12_000 }, (_, at) => `pass${at}`);
const changes = new Map(Array.from({ length: 60 }, (_, at) => [`x${at}`, 'y']));
const lines = fill('a=b\n', 256 * kibi);
const description = 64 * kibi;

it.each<[string, () => unknown]>([
  ['a picture as BMP', () => processGallery(bitmap(1_300, 1_300), 'bmp')],
  ['the index of a modpack', () => readModpackIndexAside(archive, null)],
  ['server.properties', () => readPropertiesAside(lines)],
  ['server.properties to change', () => changePropertiesAside({ bytes: Buffer.from(lines), changes })],
  [
    'a debug bundle with 12,000 passwords',
    () =>
      debugBundleAside({
        parts: [{ title: 'Properties', lines: passwords.map((one, at) => `password${at}=${one}`) }],
        secrets: passwords,
        made: new Date(0),
      }),
  ],
  ['a log of empty lines', () => numberedLines('\n'.repeat(1024 * kibi))],
  ['a log of markup', () => numberedLines(fill('<&\n', 1024 * kibi))],
  ...['![](', '[](', '<img ', '<', '```', '# '].map((part): [string, () => unknown] => [
    `a description of ${part}`,
    () => [readableLength, headersLong, imagesHeavy, altMissing].map((read) => read(fill(part, description))),
  ]),
  ['a body of brackets', () => boundedJson(fill('[', 2048 * kibi), 'the body')],
  ['a body of numbers', () => boundedJson(`[${fill('1,', 2046 * kibi)}1]`, 'the body')],
])(
  '%s leaves others their turn',
  async (_, work) => {
    // threads are started, and code is loaded, once
    await readPropertiesAside(fill('a=b\n', 20 * kibi));
    // the best of three: a busy machine makes the same work take longer, also by its processor time
    let best_ms = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3 && best_ms >= most_ms; tries++) {
      const began = process.threadCpuUsage();
      await (async () => await work())().catch(() => {});
      const { user, system } = process.threadCpuUsage(began);
      best_ms = Math.min(best_ms, (user + system) / 1000);
    }
    expect(best_ms).toBeLessThan(most_ms);
  },
  60_000,
);
