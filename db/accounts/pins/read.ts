import {
  joinOwner,
  type Owner,
  ownedBy,
  type ProfileProject,
  type StoredProject,
  teaserColumns,
  toListItem,
} from '../../catalogue/projects/by-owner.ts';
import { displayStatus, type Status } from '../../catalogue/projects/rules.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { pinnable, pinsOf } from './owner.ts';
import { max_pins } from './rules.ts';

/** The pinned projects that everybody may see, in their order. */
export async function pinnedProjects(
  { sql: db, settings }: ReadContext,
  owner: Owner,
): Promise<ProfileProject[]> {
  const rows = await db<StoredProject[]>`
    select p.id, p.slug, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description, p.icon_key,
      p.categories, p.downloads, p.followers, p.updated, ${teaserColumns(db)}
    from pins join projects p on p.id = pins.project_id
    ${joinOwner(db)}
    where ${pinsOf(db, owner)} and ${ownedBy(db, owner)} order by pins.place limit ${max_pins}`;
  return rows.map((row) => toListItem(settings, row));
}

/** A project that its owner may pin. */
export interface PinChoice {
  id: string;
  title: string;
  icon_url: string | null;
  status: Status;
  /** Its place among the pinned ones; null when it is not pinned. */
  place: number | null;
}

/** Maximum projects to choose from, the most downloaded first. */
const max_choices = 1000;

/** The projects that an owner may pin, the pinned ones first in their order. For the owner's eyes. */
export async function pinChoices({ sql: db, settings }: ReadContext, owner: Owner): Promise<PinChoice[]> {
  const rows = await db<Array<Omit<PinChoice, 'icon_url'> & { icon_key: string | null; archived: boolean }>>`
    select p.id, p.title, p.icon_key, p.status, p.archived, pins.place
    from projects p left join pins on pins.project_id = p.id and ${pinsOf(db, owner)}
    where ${pinnable(db, owner)} order by pins.place, p.downloads desc, p.id limit ${max_choices}`;
  return rows.map(({ icon_key, archived, status, ...row }) => ({
    ...row,
    status: displayStatus({ status, archived }),
    icon_url: mediaUrlOrNull(settings, icon_key),
  }));
}
