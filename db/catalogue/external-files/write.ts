import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, accountOf } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotReview } from '../review-locks/rules.ts';
import type { ExternalEdit, Judgement } from './shape.ts';

/**
 * Stores what somebody decided about files of modpacks: it counts for every pack that has the same files. A file whose work
 * is known changes that work. Refuses `moderators_only`, `file_unknown` for a file that no pack has. Source: api-v3 §5.
 */
export async function judgeFiles(
  tx: Db,
  actor: Actor,
  judgements: ReadonlyMap<string, Judgement>,
  now: Date,
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const hashes = [...judgements.keys()];
  const names = await namesOf(tx, hashes);
  const missing = hashes.find((sha1) => !names.has(sha1));
  if (missing !== undefined) throw new Refused('file_unknown', { hash: missing });
  for (const [sha1, judgement] of judgements) {
    const { status, link = null, title = null } = judgement;
    const known = await workOf(tx, sha1, judgement.type === 'flame' ? judgement.id : null);
    const edit: ExternalEdit = {
      ...{ status, ...(link && { link }), ...(title && { title }) },
      ...(judgement.type === 'flame'
        ? { flame_project_id: judgement.id }
        : judgement.proof && { proof: judgement.proof }),
    };
    const id = known ?? (await insertWork(tx, actor, { title: title ?? names.get(sha1)!, status }, now));
    await updateWork(tx, actor, id, edit, now);
    await linkFile(tx, sha1, { id, name: names.get(sha1)! });
  }
  await recorded(tx, actor, hashes.length);
}

/** Changes a work from elsewhere; absent fields stay. Refuses `moderators_only`, `not_found`, `external_project_taken`. */
export async function editExternalProject(
  tx: Db,
  actor: Actor,
  id: string,
  edit: ExternalEdit,
  now: Date,
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const [row] = await tx`select 1 from external_projects where id = ${id} for update`;
  if (!row) throw new Refused('not_found', { id });
  if (edit.flame_project_id != null) {
    const [other] =
      await tx`select 1 from external_projects where flame_project_id = ${edit.flame_project_id} and id <> ${id}`;
    if (other) throw new Refused('external_project_taken');
  }
  await updateWork(tx, actor, id, edit, now);
  await recorded(tx, actor, 0);
}

/**
 * Says of which work files are. `moves`: also files that belong to another one. Refuses `moderators_only`, `not_found` without such a work,
 * `file_unknown` for a file that no pack and no work has.
 */
export async function linkFiles(
  tx: Db,
  actor: Actor,
  { hashes, id, moves }: { hashes: readonly string[]; id: string; moves: boolean },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const [row] = await tx`select 1 from external_projects where id = ${id} for update`;
  if (!row) throw new Refused('not_found', { id });
  const names = await namesOf(tx, hashes);
  const missing = hashes.find((sha1) => !names.has(sha1));
  if (missing !== undefined) throw new Refused('file_unknown', { hash: missing });
  for (const sha1 of hashes) await linkFile(tx, sha1, { id, name: names.get(sha1)!, moves });
  await recorded(tx, actor, hashes.length);
}

/** Names of files that packs or works have, by hash. */
async function namesOf(tx: Db, hashes: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<Array<{ sha1: string; name: string }>>`
    select distinct on (sha1) sha1, name from (
      select sha1, name, 0 as place from external_files where sha1 = any(${hashes as string[]})
      union all select sha1, regexp_replace(path, '^.*/', ''), 1 from pack_files where sha1 = any(${hashes as string[]})
    ) known order by sha1, place`;
  return new Map(rows.map(({ sha1, name }) => [sha1, name]));
}

async function workOf(tx: Db, sha1: string, flame_id: number | null): Promise<string | null> {
  const [row] = await tx<Array<{ id: string }>>`
    select e.id from external_projects e left join external_files x on x.external_project_id = e.id and x.sha1 = ${sha1}
    where x.sha1 is not null or e.flame_project_id = ${flame_id}
    order by e.flame_project_id = ${flame_id} desc nulls last limit 1 for update of e`;
  return row?.id ?? null;
}

async function insertWork(
  tx: Db,
  actor: Actor,
  given: Pick<ExternalEdit, 'title' | 'status'>,
  now: Date,
): Promise<string> {
  const id = newId();
  const by = accountOf(actor);
  await tx`insert into external_projects ${tx({ id, ...given, inserted_at: now, inserted_by: by, updated_at: now, updated_by: by } as never)}`;
  return id;
}

async function updateWork(tx: Db, actor: Actor, id: string, edit: ExternalEdit, now: Date): Promise<void> {
  const columns = { ...edit, updated_at: now, updated_by: accountOf(actor) };
  await tx`update external_projects set ${tx(columns as never)} where id = ${id}`;
}

async function linkFile(
  tx: Db,
  sha1: string,
  { id, name, moves = true }: { id: string; name: string; moves?: boolean },
): Promise<void> {
  await tx`
    insert into external_files (sha1, external_project_id, name) values (${sha1}, ${id}, ${name})
    on conflict (sha1) do update set external_project_id = case when ${moves} then excluded.external_project_id
      else external_files.external_project_id end`;
}

const recorded = (tx: Db, actor: Actor, files: number): Promise<void> =>
  recordEvent(tx, { name: 'catalogue.files_judged', actor_id: accountOf(actor), data: { files } });
