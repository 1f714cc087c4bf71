import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classFile } from '../testing/class-files.ts';
import { forgedZip, sourceOf, zipOf } from '../testing/zips.ts';
import { scanLimits } from './rules.ts';
import { scanFile } from './scan-file.ts';

const scan = async (bytes: Buffer, filename = 'example.jar') =>
  await scanFile({ content: sourceOf(bytes), filename });
const webhook = 'https://discord.com/api/webhooks/1/x';
const harmful = (name: string, more: Array<['call', string]> = []) =>
  classFile({ name, methods: { post: [['text', webhook], ...more] } });

describe('a trace', () => {
  test('says where it is, what the code does and what it is about', async () => {
    const inner = await zipOf({ 'b/Send.class': harmful('b/Send') });
    const { traces, complete, classes } = await scan(await zipOf({ 'META-INF/jars/lib.jar': inner }));
    const trace = traces.find(({ issue_type }) => issue_type === 'chat_webhook');
    expect(trace).toMatchObject({
      severity: 'severe',
      jar: 'META-INF/jars/lib.jar',
      file_path: 'b/Send.class#post',
      data: { values: [webhook] },
    });
    expect(trace!.disassembly).toBe(`ldc_w "${webhook}"\nreturn`);
    expect([complete, classes]).toEqual([true, 1]);
  });

  test('has the same key for the same code in another class, and another for other code', async () => {
    const keyOf = async (bytes: Buffer) =>
      (await scan(await zipOf({ 'x.class': bytes }))).traces.find((t) => t.issue_type === 'chat_webhook')!
        .key;
    const key = await keyOf(harmful('a/One', [['call', 'a/One.help']]));
    expect(await keyOf(harmful('b/Two', [['call', 'b/Two.help']]))).toBe(key);
    expect(await keyOf(harmful('b/Two', [['call', 'c/Other.help']]))).not.toBe(key);
  });

  test('is listed once, the gravest first', async () => {
    const { traces } = await scan(await zipOf({ 'x.class': harmful('x') }));
    expect(traces.map(({ issue_type }) => issue_type)).toEqual(['chat_webhook', 'network_address']);
  });
});

describe('hostile files', () => {
  const unreadable = async (bytes: Buffer) => {
    const { traces, complete } = await scan(bytes);
    return [complete, traces.some(({ issue_type }) => issue_type === 'unreadable')];
  };

  test('a class cut off anywhere is never complete', async () => {
    const whole = harmful('x');
    // from the constants on: what comes before is no class
    for (let length = 10; length < whole.length - 2; length += 3)
      expect([length, await unreadable(await zipOf({ 'x.class': whole.subarray(0, length) }))]).toEqual([
        length,
        [false, true],
      ]);
  });

  test.each([
    ['constants that count more than there are', (b: Buffer) => b.writeUInt16BE(65_535, 8)],
    ['a constant of an unknown kind', (b: Buffer) => b.writeUInt8(99, 10)],
    ['a text longer than the file', (b: Buffer) => b.writeUInt16BE(65_535, 11)],
    ['a version of the far future', (b: Buffer) => b.writeUInt16BE(300, 6)],
  ])('%s', async (_, damage) => {
    const bytes = Buffer.from(harmful('x'));
    damage(bytes);
    expect(await unreadable(await zipOf({ 'x.class': bytes }))).toEqual([false, true]);
  });

  test('constants that name each other in a circle end', async () => {
    // a class whose name is itself, and a method that is its own owner
    const bytes = Buffer.concat([
      Buffer.from('cafebabe00000034', 'hex'),
      Buffer.from('0004', 'hex'),
      Buffer.from('070001', 'hex'),
      Buffer.from('0a00020003', 'hex'),
      Buffer.from('0c00030003', 'hex'),
      Buffer.from('0021000100010000000000000000', 'hex'),
    ]);
    expect((await scan(await zipOf({ 'x.class': bytes }))).classes).toBe(1);
  });

  test('an instruction that is cut off, and a switch without end', async () => {
    for (const raw of [[17], [170, 0, 0], [171, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]] as number[][]) {
      const methods = {
        run: [
          ['text', webhook],
          ['raw', ...raw],
        ],
      } as const;
      expect(await unreadable(await zipOf({ 'x.class': classFile({ methods }) }))).toEqual([false, true]);
    }
  });

  test('archives in archives are opened to the limit, and no further', async () => {
    let bytes = await zipOf({ 'x.class': harmful('x') });
    for (let depth = 0; depth < scanLimits.depth; depth++) bytes = await zipOf({ 'in.jar': bytes });
    const { traces, complete } = await scan(bytes);
    expect([complete, traces.some((t) => t.issue_type === 'chat_webhook')]).toEqual([true, true]);
    expect(await unreadable(await zipOf({ 'in.jar': bytes }))).toEqual([false, true]);
  });

  test('a damaged archive, an entry of another size and no archive at all', async () => {
    const forged = forgedZip([{ name: 'x.class', content: harmful('x'), size: 5 }]);
    for (const bytes of [
      Buffer.from('no zip'),
      forged,
      (await zipOf({ 'x.class': harmful('x') })).subarray(0, 40),
    ])
      expect(await unreadable(bytes)).toEqual([false, true]);
  });

  test('more traces than fit: the gravest stay, and nothing is called complete', async () => {
    const entries = Object.fromEntries(
      Array.from({ length: scanLimits.traces_per_type + 5 }, (_, n) => [
        `c${n}.class`,
        harmful(`c${n}`, [['call', `a/B.c${n}`]]),
      ]),
    );
    const { traces, complete } = await scan(await zipOf(entries));
    expect(traces.filter((t) => t.issue_type === 'chat_webhook')).toHaveLength(scanLimits.traces_per_type);
    expect(complete).toBe(false);
  });

  test('any bytes end in a result', async () => {
    const whole = harmful('x', [['call', 'java/lang/Runtime.exec']]);
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of list) bytes[at] = value;
        const { traces, complete } = await scan(await zipOf({ 'x.class': bytes }, { store: true }));
        expect(complete || traces.some(({ issue_type }) => issue_type === 'unreadable')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('a modpack says what it lists and what its overrides contain', async () => {
  const inner = await zipOf({ 'fabric.mod.json': '{}' });
  const sha1 = 'AB'.repeat(20);
  const index = {
    ...{
      game: 'minecraft',
      formatVersion: 1,
      versionId: '1',
      name: 'Pack',
      dependencies: { minecraft: '1.21.1' },
    },
    files: [
      {
        path: 'mods/listed.jar',
        hashes: { sha1, sha512: 'cd'.repeat(64) },
        downloads: ['https://elsewhere.test/listed.jar'],
        fileSize: 10,
      },
    ],
  };
  const pack = await zipOf({
    'modrinth.index.json': JSON.stringify(index),
    'overrides/mods/own.jar': inner,
    'overrides/config/other.zip': inner,
  });
  const { pack_files } = await scan(pack, 'pack.mrpack');
  expect(pack_files).toEqual([
    { path: 'mods/listed.jar', sha1: sha1.toLowerCase() },
    { path: 'overrides/mods/own.jar', sha1: createHash('sha1').update(inner).digest('hex') },
  ]);
  expect((await scan(pack, 'pack.jar')).pack_files).toEqual([]);
});

test('a signature is no archive, and complete', async () => {
  expect(await scan(Buffer.from('-----BEGIN'), 'example.jar.asc')).toMatchObject({
    traces: [],
    complete: true,
  });
});
