import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { BackupSettings } from '../backups/begin.ts';
import { loaderItems, loaderOffers, storedLoader, whyNotChangeLoader } from '../content/loader-rules.ts';
import type { LoaderSpec } from '../content/open-change.ts';
import type { ChangeView } from '../content/view.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer } from '../read.ts';
import { knownLoaderVersions } from './loader-versions.ts';
import { newestChange } from './read.ts';
import { isRepeated, requestServerChange, viewOf } from './request.ts';
import { whyNotMake } from './rules.ts';

/** What a server is and can be, and its newest change. Refuses as `whyNotSee`. */
export async function showLoader(db: Db, actor: Actor, server_id: string, now: Date) {
  const { view } = await findAuthorizedServer(db, actor, server_id, now);
  const { game_version, loader, loader_version, kind } = view;
  return {
    ...{ game_version, loader, loader_version },
    offers: loaderOffers(kind),
    loader_versions: await knownLoaderVersions(db),
    change: await newestChange(db, server_id),
  };
}

export interface LoaderRequest extends LoaderSpec {
  server_id: string;
  /** Made by the client: the same one twice is one change. */
  op_id: string;
  erase: boolean;
  backup: boolean;
  stop: boolean;
}

/**
 * Changes game version or loader. With `erase` the same ones may be installed anew. Refuses as `requestServerChange` and
 * `whyNotChangeLoader`.
 */
export async function changeLoader(
  db: Db,
  actor: Actor,
  { server_id, op_id, erase, backup, stop, ...given }: LoaderRequest,
  settings: BackupSettings,
  now: Date,
): Promise<ChangeView> {
  const rule = whyNotMake({ kind: 'loader', content: null, erase });
  const { view } = await lockChangeableServer(db, actor, server_id, now, rule);
  if (await isRepeated(db, { op_id, server_id, kind: 'loader' })) return await viewOf(db, server_id, op_id);
  const to = {
    game_version: given.game_version,
    loader: storedLoader(given.loader),
    loader_version: given.loader_version || null,
  };
  const known = await knownLoaderVersions(db);
  const why = whyNotChangeLoader({ kind: view.kind, now: view, known }, to);
  if (why && !(erase && why.code === 'server_loader_unchanged')) throw new Refused(why.code, why.data);
  const items = loaderItems(view, to);
  const change = {
    server_id,
    op_id,
    kind: 'loader',
    items,
    count: items.length,
    erase,
    backup,
    stop,
  } as const;
  const spec = { spec: to, content: null, files: {}, pack: null };
  return await requestServerChange(db, actor, { ...change, ...spec, items: [...items] }, settings, now);
}
