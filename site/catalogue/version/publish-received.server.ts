import { newFiles, prepare, type UploadedFile } from '#db/catalogue/versions/prepare.ts';
import { rowById } from '#db/catalogue/versions/read.ts';
import type { VersionRow } from '#db/catalogue/versions/row.ts';
import type { CreateData } from '#db/catalogue/versions/shape.ts';
import { publishVersion } from '#db/catalogue/versions/write.ts';
import { withStoredFiles } from '#db/platform/files/stored-files.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { type RequestRenderer, rendererFor } from '#db/platform/text/rendered.ts';
import type { AppServices } from '../../platform/context.ts';
import { orNotFound } from '../../platform/route/or-not-found.ts';
import type { RouteContext } from '../../platform/route/types.ts';

/**
 * Publishes received files as a version, whichever way they came: archive checks, storing under their final keys, and one
 * transaction, which also does `also`. Gives the version as the response of a create shows it. Refuses what `prepare`,
 * `withStoredFiles` and `publishVersion` refuse.
 */
export async function publishReceived(
  {
    sql,
    services,
    request,
    actor,
    begin,
  }: Pick<RouteContext<undefined, undefined, undefined>, 'sql' | 'services' | 'request' | 'begin'> & {
    actor: Actor;
  },
  { data, files }: { data: CreateData; files: readonly UploadedFile[] },
  also?: (tx: Db) => Promise<void>,
): Promise<VersionRow> {
  const renderer = rendererOf(services, actor, request);
  const prepared = await prepare({ ...services, renderer }, data, files);
  const id = await withStoredFiles(
    begin,
    services.storage,
    newFiles(data.project_id, prepared),
    async (tx) => {
      const published = await publishVersion(tx, actor, data.project_id, prepared, services.now());
      await also?.(tx);
      return published;
    },
  );
  return withoutFileIds(orNotFound(await rowById(sql, id, actor)));
}

/** The renderer for what the actor sends, as long as the request waits. */
export const rendererOf = ({ renderer }: AppServices, actor: Actor, { signal }: Request): RequestRenderer =>
  rendererFor(renderer, { account: actor.user_id, signal });

/** The response of a create has no file ids. Source: api-v2 §2.2. */
const withoutFileIds = (row: VersionRow): VersionRow => ({
  ...row,
  files: row.files.map(({ id: _, ...file }) => file as VersionRow['files'][number]),
});
