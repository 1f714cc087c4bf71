import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pool } from '../platform/postgres/sql.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** The migration files in order: `{ name, text, checksum }`. */
export function migrations(): Array<{ name: string; text: string; checksum: string }> {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(folder + name, 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/**
 * Migrates the schema: runs every pending migration in one transaction under an advisory lock, so that processes
 * starting together wait for each other. Gives the names that ran. Throws when a migration was edited after it ran.
 */
export async function migrate(sql: Pool): Promise<string[]> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('cairn.migrate'))`;
    await tx`create table if not exists migrations (name text primary key, checksum text not null, ran timestamptz not null default now())`;
    const ran = new Map<string, string>();
    for (const row of await tx<{ name: string; checksum: string }[]>`select name, checksum from migrations`) {
      ran.set(row.name, row.checksum);
    }
    const done: string[] = [];
    for (const { name, text, checksum } of migrations()) {
      const before = ran.get(name);
      if (before === checksum) continue;
      if (before)
        throw new Error(`Migration ${name} was edited after it ran. Write a new migration instead.`);
      await tx.unsafe(text);
      await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`;
      done.push(name);
    }
    return done;
  });
}
