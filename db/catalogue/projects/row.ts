import type { Db } from '../../platform/postgres/sql.ts';
import { type MediaSettings, mediaUrl, mediaUrlOrNull } from '../../platform/storage/url.ts';
import { licenseName } from '../tags/read.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';
import { displayStatus, listedVersionStatuses, type MonetizationStatus, type Status } from './rules.ts';
import type { Project } from './shape.ts';
import { type StoredColumns, shownValues, storedColumns } from './stored-fields.ts';

interface Picture {
  key: string;
  raw_key: string;
  featured: boolean;
  title: string | null;
  description: string | null;
  alt: string | null;
  created: string;
  ordering: number;
}

/** A project with all response fields, named like its columns. */
export interface ProjectRow extends StoredColumns {
  id: string;
  slug: string;
  team: string;
  organization: string | null;
  body: string;
  published: string;
  updated: string;
  approved: string | null;
  queued: string | null;
  status: Status;
  requested_status: Status | null;
  archived: boolean;
  moderation_message: string | null;
  moderation_message_body: string | null;
  license_id: string;
  downloads: number;
  followers: number;
  categories: string[];
  additional_categories: string[];
  loaders: string[];
  mrpack_loaders: string[];
  game_versions: string[];
  environments: string[];
  project_types: string[];
  client_side: Project['client_side'];
  server_side: Project['server_side'];
  icon_key: string | null;
  raw_icon_key: string | null;
  color: number | null;
  donation_urls: Project['donation_urls'];
  thread_id: string;
  revision: number;
  monetization_status: MonetizationStatus;
  /** Ids of listed and archived versions, oldest first. */
  versions: string[];
  gallery: Picture[];
}

/** `select` of complete rows `from projects p`; add the `where`. One round trip, versions and gallery included. */
export const selectRows = (db: Db) => db`
  select ${db(storedColumns.map((column) => `p.${column}`))}, p.id, p.slug, p.team, p.organization, p.body, p.published,
    p.updated, p.approved, p.queued, p.status, p.requested_status, p.archived, p.moderation_message,
    p.moderation_message_body, p.license_id, p.downloads, p.followers, p.categories, p.additional_categories, p.loaders,
    p.mrpack_loaders, p.game_versions, p.environments, p.project_types, p.client_side, p.server_side, p.icon_key,
    p.raw_icon_key, p.color, p.donation_urls, p.thread_id, p.monetization_status, p.revision,
    array(select v.id::text from versions v
      where v.project_id = p.id and v.status = any(${[...listedVersionStatuses]})
      order by v.date_published, v.id) as versions,
    coalesce((select json_agg(json_build_object('key', g.key, 'raw_key', g.raw_key, 'featured', g.featured,
        'title', g.title, 'description', g.description, 'alt', g.alt, 'created', g.created, 'ordering', g.ordering)
        order by g.ordering, g.created, g.raw_key)
      from gallery g where g.project_id = p.id), '[]') as gallery
  from projects p`;

/** Postgres writes timestamps inside JSON with `+00:00`; the API uses Z. */
const instant = (text: string): string => text.replace(/\+00:00$/, 'Z');

/** The project as a v2 response. Source: api-v2 §2.1; api-behaviours §7. */
export function projectOf(settings: MediaSettings, row: ProjectRow): Project {
  return {
    id: row.id,
    slug: row.slug,
    project_type: v2ProjectType(row.project_types),
    team: row.team,
    organization: row.organization,
    title: row.title,
    description: row.description,
    body: row.body,
    body_url: null,
    published: row.published,
    updated: row.updated,
    approved: row.approved,
    queued: row.queued,
    status: displayStatus(row),
    requested_status: row.requested_status,
    moderator_message:
      row.moderation_message === null
        ? null
        : { message: row.moderation_message, body: row.moderation_message_body },
    license: { id: row.license_id, name: licenseName(row.license_id), url: row.license_url },
    downloads: row.downloads,
    followers: row.followers,
    categories: row.categories,
    additional_categories: row.additional_categories,
    game_versions: row.game_versions,
    loaders: displayLoaders(row),
    versions: row.versions,
    client_side: row.client_side,
    server_side: row.server_side,
    environment: row.environments,
    icon_url: mediaUrlOrNull(settings, row.icon_key),
    raw_icon_url: mediaUrlOrNull(settings, row.raw_icon_key),
    ...shownValues(row),
    donation_urls: row.donation_urls,
    gallery: row.gallery.map((picture) => ({
      url: mediaUrl(settings, picture.key),
      raw_url: mediaUrl(settings, picture.raw_key),
      featured: picture.featured,
      title: picture.title,
      description: picture.description,
      alt: picture.alt,
      created: instant(picture.created),
      ordering: picture.ordering,
    })),
    color: row.color,
    thread_id: row.thread_id,
    monetization_status: row.monetization_status,
  };
}
