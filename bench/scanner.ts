import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import { isAtLeast } from '#db/scanner/rules.ts';
import { scanFile } from '#db/scanner/scan-file.ts';
import type { ScanReport } from '#db/scanner/scan-task.ts';
import { diskStorage } from '#db/storage/disk.ts';
import { sourceOf } from '#db/testing/zips.ts';
import { atLeast, atMost, informational, type Row, ratioAtLeast } from './report.ts';
import { measurePublish } from './scanner-publish.ts';

const folder = '/usr/share/java';
const rounds = 5;

/**
 * The scanner on the jars of Debian's `*-java` packages: its speed beside inflating the same entries, its memory in a process of
 * its own, and how often it takes a harmless jar for a harmful one. Adds to `rows`.
 */
export async function measureScanner(rows: Row[]): Promise<void> {
  const jars = jarsOf(folder);
  const commons = jars.filter(({ name }) => name.startsWith('commons-'));
  if (commons.length === 0)
    throw new Error(`No jars in ${folder}: install libcommons-*-java and other *-java packages.`);
  rows.push(await speed(commons), await memory(commons), ...(await falseAlarms(jars)));
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

/** What the scanner's process needs more than before its first scan. */
async function memory(jars: readonly Jar[]): Promise<Row> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-scanner-'));
  const script = fileURLToPath(new URL('../db/scanner/scan-process.ts', import.meta.url));
  const child = fork(script, {
    execArgv: ['--max-old-space-size=160', '--max-semi-space-size=4'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const scan = (name: string) =>
    new Promise<number>((resolve, reject) => {
      child.once('message', (report: ScanReport) =>
        'failed' in report ? reject(new Error(report.message)) : resolve(report.memory_bytes),
      );
      child.send({
        settings: { DATA_DIR: data_dir },
        key: `data/bench/${name}`,
        filename: name,
        known_bad: [],
      });
    });
  try {
    const storage = diskStorage(data_dir);
    const empty = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1');
    for (const { name, bytes } of [{ name: 'empty.jar', bytes: empty }, ...jars])
      await storage.put(`data/bench/${name}`, await storage.stage(chunksOf(bytes)));
    const idle = await scan('empty.jar');
    let peak = idle;
    for (const { name } of jars) peak = Math.max(peak, await scan(name));
    return atMost('scanner: memory over the idle process', (peak - idle) / 2 ** 20, 256, 'MB');
  } finally {
    child.kill();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Harmless jars with a trace of severity high or worse, of a hundred; and how many jars each rule found something in. */
async function falseAlarms(jars: readonly Jar[]): Promise<Row[]> {
  const found = new Map<string, number>();
  const alarms: string[] = [];
  for (const { name, bytes } of jars) {
    const { traces } = await scanFile({ content: sourceOf(bytes), filename: name });
    const grave = [
      ...new Set(
        traces.filter(({ severity }) => isAtLeast(severity, 'high')).map(({ issue_type }) => issue_type),
      ),
    ];
    if (grave.length > 0) alarms.push(`${name} (${grave.join(', ')})`);
    for (const rule of new Set(traces.map(({ issue_type, severity }) => `${issue_type} (${severity})`)))
      found.set(rule, (found.get(rule) ?? 0) + 1);
  }
  return [
    atMost(
      'scanner: of 100 harmless jars, with a grave trace',
      (alarms.length / jars.length) * 100,
      2,
      'jars',
    ),
    atLeast('scanner: harmless jars', jars.length, 100, 'jars'),
    ...alarms.map((alarm) => informational('scanner: taken for grave', alarm)),
    ...[...found].map(([rule, count]) =>
      informational(`scanner: ${rule}`, `${count} of ${jars.length} jars`),
    ),
  ];
}
