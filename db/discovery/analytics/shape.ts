import { z } from 'zod';
import { boundedText, httpsUrl, idShape, oneLineText } from '../../platform/shape.ts';

/** The body of POST /analytics/view. Source: api-v2 §14. */
export const viewShape = z.object({ url: boundedText(1, 2048) }).meta({ id: 'View' });

/** Maximum versions in one report of playtime. */
const max_entries = 2000;

/** The body of POST /analytics/playtime: by version how long it was played. Source: api-v2 §14. */
export const playtimeShape = z
  .record(
    idShape,
    z.object({
      seconds: z.int().min(0).max(65_535),
      loader: boundedText(1, 64),
      game_version: boundedText(1, 64),
      /** The version of the modpack that contains it. */
      parent: idShape.nullish(),
    }),
  )
  .refine(
    (entries) => Object.keys(entries).length <= max_entries,
    `must name at most ${max_entries} versions`,
  )
  .meta({ id: 'Playtime' });
export type Playtime = z.output<typeof playtimeShape>;

/** The body of POST /analytics/minecraft-server-play. Source: api-v2 §14. */
export const serverPlayShape = z
  .object({
    /** The listing of the server. */
    project_id: idShape,
    /** Of the player. */
    username: boundedText(1, 64),
    /** With which the player's client announced itself to the session service of the game. */
    server_id: boundedText(1, 128),
  })
  .meta({ id: 'ServerPlay' });

const announcedMetrics = z
  .array(z.enum(['views', 'downloads', 'playtime', 'revenue']))
  .min(1)
  .max(4);
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The body of POST /_internal/analytics-event. Source: api-v3 §3.13, §7. */
export const newAnnouncementShape = z
  .object({
    title: oneLineText(1, 100),
    announcement_url: httpsUrl.nullable().default(null),
    for_metric_kind: announcedMetrics,
    starts: time,
    ends: time.nullable().default(null),
  })
  .meta({ id: 'NewAnalyticsEvent' });
export type NewAnnouncement = z.output<typeof newAnnouncementShape>;

/** The body of PATCH /_internal/analytics-event/{id}: absent fields keep their values. */
export const announcementEditShape = z
  .object({
    title: oneLineText(1, 100).optional(),
    announcement_url: httpsUrl.nullable().optional(),
    for_metric_kind: announcedMetrics.optional(),
    starts: time.optional(),
    ends: time.nullable().optional(),
  })
  .meta({ id: 'AnalyticsEventEdit' });

/** What charts show beside their numbers. Source: api-v3 §3.13. */
export const announcementShape = z
  .object({
    id: idShape,
    title: z.string(),
    announcement_url: z.string().nullable(),
    for_metric_kind: announcedMetrics,
    starts: z.iso.datetime(),
    ends: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AnalyticsEvent' });
export type Announcement = z.output<typeof announcementShape>;

/** The body of PATCH /_internal/admin/_count-download. Source: api-v3 §7. */
export const countDownloadShape = z
  .object({
    /** Of the file; with `project_id` and `version_name` in case the address is not known. */
    url: boundedText(1, 4096).refine((text) => URL.canParse(text), 'must be an address'),
    project_id: idShape,
    /** Number or id. */
    version_name: boundedText(1, 512),
    ip: z.union([z.ipv4(), z.ipv6()]),
    /** Of the request for the file. */
    headers: z.record(boundedText(1, 256), boundedText(0, 8192)).default({}),
  })
  .meta({ id: 'CountedDownload' });
