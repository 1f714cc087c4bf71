import { z } from 'zod';

/** Mods, plugins, data packs and modpacks on a server, as its panel shows them. */

const contentTypes = ['mod', 'plugin', 'datapack'] as const;
export type ServerContentType = (typeof contentTypes)[number];

export const projectRef = z.strictObject({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  icon_url: z.string().nullable(),
});
export const versionRef = z.strictObject({ id: z.string(), version_number: z.string() });

/** One file of content. `project` and `version` are null when the catalogue does not know its hash. */
export const contentItem = z.strictObject({
  path: z.string(),
  file_name: z.string(),
  type: z.enum(contentTypes),
  bytes: z.int(),
  modified: z.number(),
  /** false: its name ends in `.disabled`, so it is not loaded. */
  enabled: z.boolean(),
  project: projectRef.nullable(),
  version: versionRef.nullable(),
  /** The newest version that fits the server, when that is another one. */
  update: versionRef.nullable(),
  /** It came with the modpack of the server. */
  from_pack: z.boolean(),
  /** Why the server will not load it as it is. */
  problem: z.enum(['wrong_loader', 'wrong_game_version']).nullable(),
});
export type ContentItem = z.output<typeof contentItem>;

/** The modpack that was installed last. */
export const packView = z.strictObject({
  project: projectRef,
  version: versionRef,
  update: versionRef.nullable(),
  installed: z.string(),
});
export type PackView = z.output<typeof packView>;

/** Kinds of changes of a server that can be taken back. */
const changeKinds = ['install', 'update', 'remove', 'toggle', 'modpack', 'loader', 'undo'] as const;

/** A change of content or loader, newest first in lists. */
export const changeView = z.strictObject({
  id: z.string(),
  kind: z.enum(changeKinds),
  /** Where it is: `done`, `failed`, `cancelled` and `undone` are over. */
  step: z.enum([
    'stopping',
    'safety',
    'erasing',
    'applying',
    'starting',
    'done',
    'failed',
    'cancelled',
    'undone',
  ]),
  /** How far the files are; null while nothing is known. */
  progress: z.strictObject({ done: z.int(), total: z.int().nullable() }).nullable(),
  /** Up to 20 files: what each was before and is now; `on` and `off` of files that are switched. */
  items: z
    .array(
      z.strictObject({
        title: z.string(),
        from: z.string().nullable(),
        to: z.string().nullable(),
      }),
    )
    .max(20),
  count: z.int(),
  /** Name of the user who asked for it; null for a deleted one. */
  by: z.string().nullable(),
  created: z.string(),
  ended: z.string().nullable(),
  /** Why it failed, a refusal code; `data` fills its text where that has placeholders. */
  error: z
    .strictObject({
      code: z.string(),
      retryable: z.boolean(),
      data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .nullable(),
  /** Whether it can be taken back now. */
  undoable: z.boolean(),
  /** The server crashed at its first start after it. */
  start_failed: z.boolean(),
});
export type ChangeView = z.output<typeof changeView>;

/** Why something is not part of a plan, with what would fit. */
export const planProblems = [
  'wrong_loader',
  'wrong_game_version',
  'missing',
  'conflict',
  'already_installed',
  'client_only',
  'not_supported',
] as const;

/** What installing or updating would do; nothing is changed by asking. */
export const contentPlan = z.strictObject({
  /** Files that are added, dependencies after what needs them; `replaces` is the path of the version before. */
  add: z.array(
    z.strictObject({
      project: projectRef,
      version: versionRef,
      path: z.string(),
      bytes: z.int(),
      replaces: z.string().nullable(),
      from: versionRef.nullable(),
      /** Title of what needs it; null for what was asked for. */
      needed_by: z.string().nullable(),
    }),
  ),
  skipped: z.array(
    z.strictObject({
      project: projectRef.nullable(),
      problem: z.enum(planProblems),
      needed_by: z.string().nullable(),
      /** Loaders and game versions that would fit. */
      fits: z.strictObject({ loaders: z.array(z.string()), game_versions: z.array(z.string()) }).nullable(),
    }),
  ),
  bytes: z.int(),
  revision: z.string(),
});
export type ContentPlan = z.output<typeof contentPlan>;

/** What installing a modpack, or another version of it, would do. */
export const packPlan = z.strictObject({
  project: projectRef,
  version: versionRef,
  /** What the server has to be; null when it is that already. */
  loader: z
    .strictObject({
      game_version: z.string(),
      loader: z.string().nullable(),
      loader_version: z.string().nullable(),
    })
    .nullable(),
  added: z.int(),
  replaced: z.int(),
  /** Files of the pack before that go: first 100 of them. */
  removed: z.array(z.string()).max(100),
  removed_count: z.int(),
  /** Files that were changed since the pack was installed and will be overwritten: first 100 of them. */
  lost: z.array(z.string()).max(100),
  lost_count: z.int(),
  /** Files of the pack for clients only. */
  client_only: z.int(),
  /** Files that come from elsewhere, by host. */
  foreign: z.array(z.strictObject({ host: z.string(), count: z.int() })).max(20),
  bytes: z.int(),
  revision: z.string(),
});
export type PackPlan = z.output<typeof packPlan>;

/** One file of a client pack beside what the server has. */
export const comparison = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        title: z.string(),
        client: z.string().nullable(),
        server: z.string().nullable(),
        state: z.enum(['same', 'different', 'missing_on_server', 'only_on_server', 'client_only']),
      }),
    )
    .max(2_000),
  pack: versionRef,
});
export type Comparison = z.output<typeof comparison>;
