import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Backups } from '#agents/backups/backups.ts';
import { isInstalled, level } from '#agents/backups/programs.ts';
import { restoreFiles } from '#agents/backups/restore.ts';
import { openStateStore } from '#agents/state/store.ts';
import { compileCache } from '../bin/install.mjs';
import { median, seconds } from './measure.ts';
import { informational, type Row, ratioAtLeast } from './report.ts';

const mib = 1024 * 1024;
const rounds = 5;

/**
 * A backup and a restore of about 1 GB of files like those of a server (BENCH_BACKUP_MB sets how much), compared with
 * `tar | zstd` at the same level and the way back, in turns, at the same low priority, so that what else the machine does
 * slows both. All of them end when the bytes are on the disk. Both use the
 * program zstd where there is one. Adds to `rows`.
 */
export async function measureBackups(rows: Row[]): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'cairn-bench-backups-'));
  const store = openStateStore(data);
  const before = process.env.NODE_COMPILE_CACHE;
  // the programs inherit it from an agent that `npm start` runs
  process.env.NODE_COMPILE_CACHE = compileCache;
  try {
    const folder = join(data, 'servers/S1');
    const bytes = fill(folder, Number(process.env.BENCH_BACKUP_MB ?? 1000));
    const backups = new Backups({ data, s3: null, log: pino({ level: 'silent' }) });
    const engine = backups.engine('archive');
    const { signal } = new AbortController();
    const job = { backup_id: 'B1', server_id: 'S1', target: 'node', signal, onProgress: () => {} } as const;
    const archive = join(data, 'plain.tar.zst');
    const plain = join(data, 'plain');
    const times = { pack: [], packPlain: [], unpack: [], unpackPlain: [] } as Record<string, number[]>;
    let sha256: string | null = null;
    for (let round = 0; round < rounds; round++) {
      times.packPlain!.push(
        shell(`tar -C '${folder}' -cf - . | zstd -q -f -T0 -${level} -o '${archive}' && sync '${archive}'`),
      );
      times.pack!.push(
        await seconds(async () => {
          ({ sha256 } = await engine.create(job, folder, { game_version: '', loader: null }, 1e13));
        }),
      );
      mkdirSync(plain);
      times.unpackPlain!.push(
        shell(`zstd -q -dc '${archive}' | tar -C '${plain}' -xf - && sync -f '${plain}'`),
      );
      rmSync(plain, { recursive: true });
      const { journal } = store;
      const server = { folder, journal, disk_mb: 1e6, uid: 20_000, inside: '/data', undo: backups.undo };
      times.unpack!.push(
        await seconds(async () => void (await restoreFiles({ engine, job, sha256, ...server }))),
      );
    }
    const compare = (name: string, ours: string, baseline: string, program: string) => {
      const [is, was] = [median(times[ours]!), median(times[baseline]!)];
      const shown = (time: number) => `${(bytes / mib / time).toFixed(0)} MB/s`;
      return ratioAtLeast(0.8, {
        name,
        ratio: was / is,
        ours: shown(is),
        baseline: `${program} ${shown(was)}`,
      });
    };
    rows.push(
      compare('backup', 'pack', 'packPlain', `tar | zstd -${level}`),
      compare('restore', 'unpack', 'unpackPlain', 'zstd -d | tar'),
      informational('compression of backups', isInstalled('zstd') ? 'program zstd' : 'Node'),
      informational(
        'size of a backup',
        `${(statSync(join(data, 'backups/S1/B1.tar.zst')).size / mib).toFixed(0)} MB`,
        `${(statSync(archive).size / mib).toFixed(0)} MB`,
      ),
    );
  } finally {
    if (before === undefined) delete process.env.NODE_COMPILE_CACHE;
    else process.env.NODE_COMPILE_CACHE = before;
    store.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Two thirds regions of compressed chunks with some free sectors, jars, small files of text and one log. Gives the bytes. */
function fill(folder: string, mb: number): number {
  for (const name of ['world/region', 'mods', 'config']) mkdirSync(join(folder, name), { recursive: true });
  let bytes = 0;
  const write = (name: string, content: Buffer): void => {
    writeFileSync(join(folder, name), content);
    bytes += content.length;
  };
  for (let region = 0; bytes < mb * 0.66 * mib; region++) {
    const chunks = Array.from({ length: 6 }, () => [randomBytes(700 * 1024), Buffer.alloc(324 * 1024)]);
    write(`world/region/r.${region}.0.mca`, Buffer.concat(chunks.flat()));
  }
  for (let jar = 0; jar < mb / 25; jar++) write(`mods/${jar}.jar`, randomBytes(5 * mib));
  const text = '{"type":"minecraft:crafting_shaped","key":{"a":{"item":"minecraft:stone"}}}\n';
  for (let file = 0; file < mb * 2; file++)
    write(
      `config/${file}.json`,
      Buffer.concat([Buffer.from(text.repeat(5 + (file % 200))), randomBytes(200)]),
    );
  const lines = Array.from(
    { length: mb * 1000 },
    (_, line) => `[12:00:${line % 60}] Player${line % 977} moved\n`,
  );
  write('latest.log', Buffer.from(lines.join('')));
  return bytes;
}

function shell(script: string): number {
  const begun = performance.now();
  const { status } = spawnSync('nice', ['-n', '19', 'sh', '-c', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
  return (performance.now() - begun) / 1000;
}
