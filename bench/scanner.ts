import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import { archiveRules, codeRules, isAtLeast, scanLimits } from '#db/moderation/scanner/rules.ts';
import { scanFile } from '#db/moderation/scanner/scan-file.ts';
import type { ScanReport } from '#db/moderation/scanner/scan-task.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { classFile } from '#db/testing/class-files.ts';
import { sourceOf, zipOf } from '#db/testing/zips.ts';
import { atLeast, atMost, informational, type Row, ratioAtLeast } from './report.ts';
import { measurePublish } from './scanner-publish.ts';

const folder = '/usr/share/java';
const rounds = 5;

/**
 * The scanner on the jars of Debian's `*-java` packages (`apt-get install` some hundred of them): its speed beside inflating the same
 * entries, its memory in a process of its own, and how often it takes a harmless jar for a harmful one. Adds to `rows`.
 */
export async function measureScanner(rows: Row[]): Promise<void> {
  const jars = jarsOf(folder);
  const commons = jars.filter(({ name }) => name.startsWith('commons-'));
  if (commons.length === 0)
    throw new Error(`No jars in ${folder}: install libcommons-*-java and other *-java packages.`);
  rows.push(
    await speed(commons),
    ...(await memory(commons, await heavyArchives())),
    ...(await falseAlarms(jars)),
  );
  await measurePublish(rows, commons[0]!.bytes);
}

interface Jar {
  name: string;
  bytes: Buffer;
}

/** The jars of a folder, each file once, by name. */
function jarsOf(path: string): Jar[] {
  const names = readdirSync(path).filter((name) => name.endsWith('.jar'));
  const files = new Map(names.sort().map((name) => [realpathSync(join(path, name)), name]));
  return [...files]
    .map(([file, name]) => ({ name, bytes: readFileSync(file) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** In turns, the best round of each counts. */
async function speed(jars: readonly Jar[]): Promise<Row> {
  const [ours, bare]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    let began = performance.now();
    bytes = 0;
    for (const jar of jars) bytes += await inflateAll(jar.bytes);
    bare.push(performance.now() - began);
    began = performance.now();
    for (const { bytes: content, name } of jars)
      await scanFile({ content: sourceOf(content), filename: name });
    ours.push(performance.now() - began);
  }
  const [a, b] = [Math.min(...ours), Math.min(...bare)];
  const rate = (ms: number) => `${(bytes / 1e6 / (ms / 1000)).toFixed(0)} MB/s`;
  return ratioAtLeast(0.25, {
    name: `scanner: speed to only inflating ${jars.length} jars`,
    ratio: b / a,
    ours: rate(a),
    baseline: rate(b),
  });
}

async function inflateAll(jar: Buffer): Promise<number> {
  const zip = await yauzl.fromBufferPromise(jar, { lazyEntries: true });
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const at = entry.relativeOffsetOfLocalHeader;
    const start = at + 30 + jar.readUInt16LE(at + 26) + jar.readUInt16LE(at + 28);
    const packed = jar.subarray(start, start + entry.compressedSize);
    bytes += entry.compressionMethod === 8 ? inflateRawSync(packed).length : packed.length;
  }
  return bytes;
}

/** Archives that need as much memory as any that is scanned to its end: large ones in each other, and large classes. */
async function heavyArchives(): Promise<Jar[]> {
  const noise = randomBytes(scanLimits.nested_bytes - 64 * 1024);
  let nested = await zipOf({ 'noise.bin': noise }, { store: true });
  for (let depth = 0; depth < scanLimits.depth; depth++)
    nested = await zipOf({ 'in.jar': nested }, { store: true });
  const code = ['repeat', 600_000, ['text', 'https://a.test/']] as const;
  const large = classFile({ methods: { run: [code], again: [code] } });
  const classes = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`c${n}.class`, large]));
  return [
    { name: 'nested.jar', bytes: nested },
    { name: 'classes.jar', bytes: await zipOf(classes) },
  ];
}

/** The most that the scanner's process needs at any time more than before its first scan. */
async function memory(jars: readonly Jar[], heavy: readonly Jar[]): Promise<Row[]> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-scanner-'));
  const script = fileURLToPath(new URL('../db/moderation/scanner/scan-process.ts', import.meta.url));
  const child = fork(script, {
    execArgv: ['--max-old-space-size=160', '--max-semi-space-size=4'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The scanner ended with ${signal ?? code}.`);
  });
  ended.catch(() => {}); // it ends by itself after the last one
  const report = (name: string) =>
    new Promise<number>((resolve, reject) => {
      child.once('message', (report: ScanReport) =>
        'failed' in report ? reject(new Error(report.message)) : resolve(peakOf(child.pid!)),
      );
      child.send({
        settings: { DATA_DIR: data_dir },
        key: `data/bench/${name}`,
        filename: name,
        known_bad: [],
      });
    });
  const scan = (name: string) => Promise.race([report(name), ended]);
  try {
    const storage = diskStorage(data_dir);
    const empty = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1');
    for (const { name, bytes } of [{ name: 'empty.jar', bytes: empty }, ...jars, ...heavy])
      await storage.put(`data/bench/${name}`, await storage.stage(chunksOf(bytes)));
    const idle = await scan('empty.jar');
    let peak = idle;
    const over = () => (peak - idle) / 2 ** 20;
    for (const { name } of jars) peak = await scan(name);
    const usual = over();
    for (const { name } of heavy) peak = await scan(name);
    return [
      atMost('scanner: memory over the idle process', over(), 256, 'MB'),
      informational(`scanner: memory with ${jars.length} ordinary jars`, `${usual.toFixed(0)} MB`),
    ];
  } finally {
    child.kill();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** The most bytes that a process has had in memory so far. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** How many jars are looked at closely. */
const sample = 100;

/** A hundred of these, evenly spread. */
const hundred = <T>(all: readonly T[]): T[] =>
  all.length <= sample
    ? [...all]
    : Array.from({ length: sample }, (_, n) => all[Math.floor((n * all.length) / sample)]!);

/** Harmless jars with a trace of severity high or worse, of a hundred and of all; and how many of the hundred each rule flags. */
async function falseAlarms(jars: readonly Jar[]): Promise<Row[]> {
  const chosen = new Set(hundred(jars));
  const found = new Map<string, number>();
  const alarms: Array<{ jar: Jar; text: string }> = [];
  for (const jar of jars) {
    const { traces } = await scanFile({ content: sourceOf(jar.bytes), filename: jar.name });
    const grave = traces.filter(({ severity }) => isAtLeast(severity, 'high'));
    if (grave.length > 0)
      alarms.push({
        jar,
        text: `${jar.name}: ${[...new Set(grave.map((one) => one.issue_type))].join(', ')}`,
      });
    if (!chosen.has(jar)) continue;
    for (const rule of new Set(traces.map(({ issue_type, severity }) => `${issue_type} (${severity})`)))
      found.set(rule, (found.get(rule) ?? 0) + 1);
  }
  const ofHundred = alarms.filter(({ jar }) => chosen.has(jar)).length;
  const rules = new Set([...codeRules, ...archiveRules].map(({ type, severity }) => `${type} (${severity})`));
  return [
    atLeast('scanner: harmless jars', jars.length, sample, 'jars'),
    atMost(`scanner: of ${chosen.size} harmless jars, with a grave trace`, ofHundred, 2, 'jars'),
    atMost(
      `scanner: of all ${jars.length} harmless jars, with a grave trace`,
      (alarms.length / jars.length) * 100,
      2,
      '%',
    ),
    ...alarms.map(({ jar, text }) =>
      informational(
        `scanner: taken for grave${chosen.has(jar) ? ', of the hundred' : ''}: ${jar.name}`,
        text,
      ),
    ),
    ...[...rules].map((rule) =>
      informational(`scanner: ${rule}`, `${found.get(rule) ?? 0} of ${chosen.size} jars`),
    ),
  ];
}
