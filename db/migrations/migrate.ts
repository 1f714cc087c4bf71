import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Db, Pool } from '../platform/postgres/sql.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** The file that replaced the migrations up to 0308, and the sum of their sorted names. */
export const schema = {
  name: '0308_schema.sql',
  replaces: 'e312683dd0999191548acf67c3201e64566f3ad75c8eebf8d0f95cf8023deb3a',
} as const;

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
 * starting together wait for each other. Gives the names that ran. Throws when a migration was edited after it ran, or when the
 * database ran only some of the migrations that the schema replaced.
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
      if (name === schema.name && hasSchema([...ran.keys()])) {
        await note(tx, name, checksum);
        continue;
      }
      const before = ran.get(name);
      if (before === checksum) continue;
      if (before)
        throw new Error(`Migration ${name} was edited after it ran. Write a new migration instead.`);
      await tx.unsafe(text);
      await note(tx, name, checksum);
      done.push(name);
    }
    return done;
  });
}

const note = (tx: Db, name: string, checksum: string) =>
  tx`insert into migrations (name, checksum) values (${name}, ${checksum})`;

/** Whether a database has the schema because it ran all migrations that it replaced; their rows stay. Throws when it ran only some. */
function hasSchema(ran: readonly string[]): boolean {
  if (ran.includes(schema.name)) return false;
  const replaced = ran.filter((name) => name < '0309').sort();
  if (replaced.length === 0) return false;
  if (createHash('sha256').update(replaced.join('\n')).digest('hex') === schema.replaces) return true;
  throw new Error(
    'This database is older than the oldest schema that can be upgraded. Start commit 9f9aeba7 of Cairn with it once, then this one.',
  );
}
