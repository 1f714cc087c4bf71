import { assertAllowed } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type ClaimedImage, type ImageTarget, unused_image_ms, whyNotClaimImage } from './rules.ts';

/**
 * Makes the item use these images of the actor, in the transaction that creates or changes its text. Refuses
 * `image_unknown` (also another user's, or of another context) and `image_used`. Source: api-behaviours §15.
 */
export async function claimImages(
  tx: Db,
  actor: Actor,
  ids: readonly string[] | null | undefined,
  target: ImageTarget,
): Promise<void> {
  const named = [...new Set(ids ?? [])];
  if (named.length === 0) return;
  const rows = await tx<Array<ClaimedImage & { id: string }>>`
    select id, owner_id, context, coalesce(project_id, version_id, thread_message_id, report_id) as used_by
    from images where id = any(${named}) order by id for no key update`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const id of named) assertAllowed(whyNotClaimImage(byId.get(id), actor, target), { id });
  await tx`update images set ${tx({ [columnOf(target)]: target.id })} where id = any(${named})`;
}

/** The column of the item that uses an image. */
const columnOf = ({ context }: ImageTarget): string => `${context}_id`;

/** The stored text of the item before the change. */
const storedText = (db: Db, { context, id }: ImageTarget) =>
  ({
    project: db`select body from projects where id = ${id}`,
    version: db`select changelog from versions where id = ${id}`,
    report: db`select body from reports where id = ${id}`,
    thread_message: db`select body ->> 'body' from thread_messages where id = ${id}`,
  })[context];

/**
 * Adjusts the images of an item to its new text, before the text is stored: the actor's unused images that occur in it
 * are used now; those that the old text has and the new one has not are removed, and so are older ones that never
 * occurred. Recent ones may be in a text that is not saved yet. Garbage collection removes their files. Source:
 * api-behaviours §15.
 */
export async function keepImagesOf(tx: Db, actor: Actor, target: ImageTarget, text: string): Promise<void> {
  const column = tx(columnOf(target));
  await tx`
    delete from images where ${column} = ${target.id} and position(key in ${text}) = 0 and position(raw_key in ${text}) = 0
      and (created < now() - make_interval(secs => ${unused_image_ms / 1000})
        or position(key in (${storedText(tx, target)})) > 0 or position(raw_key in (${storedText(tx, target)})) > 0)`;
  if (!text.includes('/cached_images/')) return;
  await tx`
    update images set ${tx({ [columnOf(target)]: target.id })}
    where owner_id = ${actor.user_id} and context = ${target.context}
      and num_nonnulls(project_id, version_id, thread_message_id, report_id) = 0
      and (position(key in ${text}) > 0 or position(raw_key in ${text}) > 0)`;
}

/** Deletes the rows of images that no text used within a day; garbage collection removes their files. */
export async function deleteUnusedImages(db: Db, now: Date): Promise<number> {
  const { count } = await db`
    delete from images where project_id is null and version_id is null and thread_message_id is null
      and report_id is null and created < ${new Date(now.getTime() - unused_image_ms)}`;
  return count;
}
