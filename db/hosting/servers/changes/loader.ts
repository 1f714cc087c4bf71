import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { BackupSettings } from '../backups/begin.ts';
import type { LoaderSpec } from '../content/change-work.ts';
import {
  compareVersions,
  type KnownLoaderVersions,
  loaderItems,
  loaderOffers,
  max_loader_versions,
  storedLoader,
  whyNotChangeLoader,
} from '../content/loader-rules.ts';
import type { ChangeView } from '../content/view.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer } from '../read.ts';
import { newestChange } from './read.ts';
import { requestServerChange, viewOf } from './request.ts';
import { isRepeated } from './rows.ts';
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

/** Rows that are read: distinct loaders, their versions and game versions that modpacks name. */
const max_rows = 2_000;

/** Versions of loaders that listed modpacks of the catalogue ask for, newest first. */
async function knownLoaderVersions(db: Db): Promise<KnownLoaderVersions> {
  const rows = await db<{ loader: string; loader_version: string; game_versions: string[] }[]>`
    select m.loader, m.loader_version, array_agg(distinct m.game_version) as game_versions
    from modpack_loaders m join versions v on v.id = m.version_id
    where v.status = 'listed'
    group by m.loader, m.loader_version order by max(v.date_published) desc limit ${max_rows}`;
  const known: KnownLoaderVersions = {};
  for (const { loader, loader_version: version, game_versions } of rows)
    known[loader] = [...(known[loader] ?? []), { version, game_versions }];
  for (const [loader, versions] of Object.entries(known))
    known[loader] = versions
      .toSorted((one, other) => compareVersions(other.version, one.version))
      .slice(0, max_loader_versions);
  return known;
}
