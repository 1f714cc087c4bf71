import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBase } from '#db/discovery/search/embedded/builder.ts';
import { type EmbeddedEngine, embeddedEngine } from '#db/discovery/search/embedded/engine.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { createLog } from '#db/platform/runtime/log.ts';
import { atMost, informational, type Row } from '../report.ts';
import type { Catalogue } from './catalogue.ts';
import { short } from './timing.ts';

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const anything = { text: '', filter: null, sort: 'downloads', offset: 0, limit: 1 } as const;

export interface Opened {
  engine: EmbeddedEngine;
  /** Results of building and loading. */
  rows: Row[];
  /** Builds a new base like the rebuild command, and waits until it is active. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

/** Builds a snapshot in its own folder, starts the engine on it and waits until it is ready. */
export async function openEngine({ sql, address }: Catalogue): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-index-'));
  const connect = { address };
  const built = await buildBase({ connect, folder });
  if ('newer' in built) throw new Error('Another process is building in the folder of the benchmark');
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const engine = embeddedEngine({
    ...{ sql, connect, folder, fallback: postgresEngine(sql) },
    log: createLog('bench', 'warn'),
  });
  await until(() => engine.status().engine === 'embedded', 60);
  await engine.search(anything);
  const load_s = (performance.now() - began) / 1000;
  return {
    engine,
    rows: [
      informational(
        'search: base built in another process',
        `${short(built.took_ms / 1000)} s, ${mb(built.bytes)}`,
      ),
      atMost('search: start to first answer from a snapshot', load_s, 3, 's'),
      informational(
        'search: index',
        `${mb(engine.status().bytes)}, process +${mb(process.memoryUsage.rss() - before)}`,
      ),
    ],
    rebuild: async () => {
      const made = await buildBase({ connect, folder });
      const newest = 'newer' in made ? made.newer : made.generation;
      await until(() => (engine.status().snapshot?.generation ?? 0) >= newest, 60);
    },
    close: async () => {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for a condition; throws after `seconds`. */
export async function until(
  so: () => boolean | Promise<boolean>,
  seconds: number,
  every_ms = 5,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await so())) {
    if (performance.now() > end) throw new Error(`The condition was not met within ${seconds} s`);
    await new Promise((done) => setTimeout(done, every_ms));
  }
}
