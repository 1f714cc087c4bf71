import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classFile, type Op } from '../../testing/class-files.ts';
import { propertyRuns } from '../../testing/soak.ts';
import { forgedZip, sourceOf, zipOf } from '../../testing/zips.ts';
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

describe('code that hides what it does', () => {
  const typesIn = async (...code: Op[]) => {
    const { traces } = await scan(await zipOf({ 'x.class': classFile({ methods: { run: code } }) }));
    return traces.map(({ issue_type, data }) => [issue_type, data.values]);
  };

  test('in texts that are put together while it runs', async () => {
    expect(await typesIn(['concat', 'https://discord.com/api/webhooks/\u0001/x'])).toEqual([
      ['chat_webhook', ['https://discord.com/api/webhooks/…/x']],
      ['network_address', ['https://discord.com/api/webhooks/…/x']],
    ]);
    expect(await typesIn(['concat', 'cmd /c \u0001'], ['call', 'java/lang/Runtime.exec'])).toContainEqual([
      'shell_command',
      ['cmd /c …', 'java/lang/Runtime.exec'],
    ]);
  });

  test('in references to methods', async () => {
    const name = 'java/lang/Runtime.exec';
    expect(await typesIn(['reference', name])).toEqual([['process_start', [name]]]);
    expect(await typesIn(['reference', 'com/example/Example.run'])).toEqual([]);
  });

  test('in arrays of characters and bytes, and nothing else names them', async () => {
    for (const how of ['chars', 'bytes'] as const) {
      expect(await typesIn([how, 'http://files.test:8080/dl'])).toEqual([
        ['hidden_text', ['http://files.test:8080/dl']],
        ['network_address', ['http://files.test:8080/dl']],
      ]);
      expect(await typesIn([how, 'Hello, world'])).toEqual([]);
    }
  });

  test('is shown from a few instructions before the first that is evidence', async () => {
    const many: Op[] = Array.from({ length: 50 }, (_, n) => ['number', n]);
    const methods = { run: [...many, ['text', webhook] as Op, ...many] };
    const { traces } = await scan(await zipOf({ 'x.class': classFile({ methods }) }));
    expect(traces[0]!.disassembly.split('\n').slice(0, 9)).toEqual([
      '...',
      ...[44, 45, 46, 47, 48, 49].map((n) => `sipush ${n}`),
      `ldc_w "${webhook}"`,
      'sipush 0',
    ]);
  });

  test('in files that are called something else', async () => {
    const inner = await zipOf({ 'b/Send.class': harmful('b/Send') });
    const { traces } = await scan(
      await zipOf({ 'assets/a.png': inner, 'assets/lang.json': harmful('c/Send') }),
    );
    const found = traces.filter(({ issue_type }) => issue_type === 'chat_webhook');
    expect(found.map(({ jar, file_path }) => [jar, file_path])).toEqual([
      ['assets/a.png', 'b/Send.class#post'],
      ['', 'assets/lang.json#post'],
    ]);
  });

  test('in a folder of the name of a class, which Java takes for one', async () => {
    const { traces } = await scan(forgedZip([{ name: 'a/Send.class/', content: harmful('a/Send') }]));
    expect(traces.map(({ issue_type }) => issue_type)).toEqual([
      'chat_webhook',
      'name_trick',
      'network_address',
    ]);
  });

  test('in entries that only readers from the beginning see', async () => {
    const hidden = forgedZip([{ name: 'b/B.class', content: harmful('b/B') }]);
    const header = hidden.subarray(0, hidden.indexOf('PK\x01\x02', 0, 'latin1'));
    const shown = [{ name: 'fabric.mod.json', content: '{}' }];
    for (const bytes of [
      moved(forgedZip(shown), { before: header }),
      moved(forgedZip(shown), { after: header }),
      moved(forgedZip([{ ...shown[0]!, flags: 0x808 }]), {
        after: Buffer.concat([Buffer.alloc(16), header]),
      }),
    ]) {
      const { traces } = await scan(bytes);
      expect(traces.map(({ issue_type }) => issue_type)).toEqual(['header_mismatch']);
    }
    // other bytes there are of no interest
    expect((await scan(moved(forgedZip(shown), { after: Buffer.alloc(64) }))).traces).toEqual([]);
  });
});

/** An archive of one entry with bytes before or after it that its directory does not list. */
function moved(zip: Buffer, { before, after }: { before?: Buffer; after?: Buffer }): Buffer {
  const directory = zip.indexOf('PK\x01\x02', 0, 'latin1');
  const rest = Buffer.from(zip.subarray(directory));
  const by = (before?.length ?? 0) + (after?.length ?? 0);
  rest.writeUInt32LE(before?.length ?? 0, 42);
  rest.writeUInt32LE(directory + by, rest.length - 6);
  return Buffer.concat([
    before ?? Buffer.alloc(0),
    zip.subarray(0, directory),
    after ?? Buffer.alloc(0),
    rest,
  ]);
}

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

  test('thousands of constants and instructions that share a long text are read once', async () => {
    const long = `${'https://curl wget powershell '.repeat(2_200)} ${webhook}`.slice(0, 65_000);
    const code: Op[] = [
      ['repeat', 300_000, ['text', long]],
      ['repeat', 100_000, ['call', 'java/lang/Runtime.exec']],
      ['repeat', 10_000, ['concat', long]],
    ];
    const bytes = classFile({ name: 'n'.repeat(60_000), methods: { run: code, again: code } });
    // and a constant for each of many members of a class with a long name
    const members = Array.from({ length: 15_000 }, (_, n): Op => ['call', `${'m'.repeat(60_000)}.c${n}`]);
    const many = classFile({ methods: { run: members, post: [['text', webhook]] } });
    const { traces, complete } = await scan(await zipOf({ 'x.class': bytes, 'y.class': many }));
    expect(complete).toBe(true);
    expect(traces.map(({ issue_type }) => issue_type)).toContain('chat_webhook');
    // read for each use it would take many minutes
  }, 60_000);

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

  test('a switch without cases is code as any other', async () => {
    const nothing = ['raw', 0, 171, 0, 0, ...[0, 0, 0, 11], ...[0, 0, 0, 0]] as const; // nop, lookupswitch
    const bytes = classFile({ methods: { run: [nothing, ['text', webhook]], end: [nothing] } });
    expect((await scan(await zipOf({ 'x.class': bytes }))).complete).toBe(true);
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
      { numRuns: propertyRuns(200) },
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
