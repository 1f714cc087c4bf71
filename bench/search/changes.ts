import { recordEvent } from '#db/platform/events/write.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';

/** Edits `project` so that it matches `word`, which no other project does. */
export async function edit(sql: Pool, project_id: string, word: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update projects set description = ${`Found by ${word} alone`} where id = ${project_id}`;
    await recordEvent(tx, { name: 'project.edited', project_id });
  });
}

async function count(sql: Pool, project_id: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update projects set downloads = downloads + 1 where id = ${project_id}`;
    await recordEvent(tx, { name: 'project.counted', data: { project_ids: [project_id] } });
  });
}

/** Edits and counts projects at a steady rate, three of five as edits, until stopped. Gives the number of changes. */
export function keepChanging(
  sql: Pool,
  ids: readonly string[],
  per_second: number,
): { stop(): Promise<number> } {
  let going = true;
  let made = 0;
  const work = (async () => {
    const began = performance.now();
    for (; going; made++) {
      const early = began + (made * 1000) / per_second - performance.now();
      if (early > 0) await new Promise((done) => setTimeout(done, early));
      const id = ids[(made * 7919) % ids.length] as string;
      if (made % 5 < 3) await edit(sql, id, `change${made}`);
      else await count(sql, id);
    }
  })();
  return {
    stop: async () => {
      going = false;
      await work;
      return made;
    },
  };
}
