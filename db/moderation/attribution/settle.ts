import { unansweredFiles } from '../../catalogue/external-files/unanswered.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { holdVersion, releaseVersions } from '../holds/hold.ts';

/**
 * Asks the team of a modpack about new files from elsewhere, each in a group of its own, and holds and releases its versions as
 * far as every file has an answer. The project's row is locked by the caller. Gives the names of the files because of which a version
 * was held just now.
 * Source: api-behaviours §4 (visibility).
 */
export async function settleAttribution(
  tx: Db,
  project_id: string,
  { actor_id, now }: { actor_id: string | null; now: Date },
): Promise<string[]> {
  const open = await tx<
    Array<{ id: string; sha1: string; name: string; is_asked: boolean; held_for: string[] }>
  >`
    select v.id, c.sha1, regexp_replace(c.path, '^.*/', '') as name, a.sha1 is not null as is_asked, v.held_for
    ${unansweredFiles(tx)} and v.project_id = ${project_id} order by c.path limit 4096`;
  const asked = new Set(open.filter(({ is_asked }) => is_asked).map(({ sha1 }) => sha1));
  for (const { sha1, name } of open) {
    if (asked.has(sha1)) continue;
    asked.add(sha1);
    const group_id = newId();
    await tx`insert into attribution_groups ${tx({ id: group_id, project_id, created: now })}`;
    await tx`insert into attribution_files ${tx({ project_id, sha1, name, group_id })}`;
  }
  const waiting = [...new Set(open.map(({ id }) => id))];
  const held = new Set<string>();
  for (const id of waiting)
    if (await holdVersion(tx, { id, project_id }, { reason: 'attribution', now })) held.add(id);
  const answered = await tx<Array<{ id: string }>>`
    select id from versions
    where project_id = ${project_id} and 'attribution' = any(held_for) and id <> all(${waiting})`;
  const ids = answered.map(({ id }) => id);
  if (ids.length > 0) await releaseVersions(tx, { ids, project_id }, { reason: 'attribution', actor_id });
  return [...new Set(open.filter(({ id }) => held.has(id)).map(({ name }) => name))].sort();
}
