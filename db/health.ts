import { setTimeout as wait } from 'node:timers/promises';
import type { SearchEngine } from './discovery/search/engine.ts';
import { migrations } from './migrations/migrate.ts';
import { getFact } from './platform/installation.ts';
import type { Pool } from './platform/postgres/sql.ts';
import type { Settings } from './platform/runtime/env.ts';
import type { Health } from './platform/runtime/status-endpoints.ts';
import type { Storage } from './platform/storage/storage.ts';

export interface Parts {
  settings: Settings;
  sql: Pool;
  storage?: Storage;
  search?: SearchEngine;
}

/** Checks database, schema, initial content, storage and search. Source: decisions §1.1; design §4.15. */
export async function health({ settings, sql, storage, search }: Parts): Promise<Health> {
  const context = await within(2_000, contextHealth(sql, settings)).catch(() => null);
  const found = {
    database: context !== null,
    migrated: context?.migrated ?? false,
    seeded: context?.seeded ?? false,
    storage: storage ? await within(2_000, storage.isWritable()).catch(() => false) : true,
    search: search ? ((await answers(search)) ? search.status().engine : null) : 'elsewhere',
  };
  const missing = Object.entries(found)
    .filter(([, fine]) => !fine)
    .map(([part]) => part);
  return { ready: missing.length === 0, ...found, missing };
}

async function contextHealth(sql: Pool, settings: Settings): Promise<{ migrated: boolean; seeded: boolean }> {
  const [known] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.installation') is not null as there`;
  if (!known?.there) return { migrated: false, seeded: false };
  const ran = await sql<{ name: string }[]>`select name from migrations`;
  const names = new Set(ran.map(({ name }) => name));
  return {
    migrated: migrations().every(({ name }) => names.has(name)),
    seeded: settings.SEED === 'none' || (await getFact(sql, 'seeded')) !== null,
  };
}

async function within<T>(limit_ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('timed out')), limit_ms);
  });
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** The engine may first answer from a cached status, so it gets half a second. */
async function answers({ status }: SearchEngine): Promise<boolean> {
  for (let waited = 0; waited < 500 && !status().ready; waited += 50) await wait(50);
  return status().ready;
}
