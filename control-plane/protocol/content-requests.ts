import { z } from 'zod';
import { cancelChange } from '#db/hosting/servers/changes/cancel.ts';
import { changeLoader, showLoader } from '#db/hosting/servers/changes/loader.ts';
import { undoServerChange } from '#db/hosting/servers/changes/undo.ts';
import {
  changeView,
  comparison,
  contentItem,
  contentPlan,
  packPlan,
  packView,
} from '#db/hosting/servers/content/view.ts';
import type { RequestMap } from './ack.ts';
import { stored } from './stored.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const opId = z.uuid();
const path = z.string().min(1).max(4_096);
const ofServer = z.object({ server_id: id });
/** A change that was asked for; the event `changes` and `content.list` tell how far it is. The same `op_id` twice is one. */
const change = z.strictObject({ change: changeView });
/** What the server had when its user decided; `content_changed` when that is not so any more. */
const revision = z.string().max(200);

/** Requests of panels about mods, plugins, data packs and modpacks on a server. */
export const contentRequests = {
  'content.list': {
    input: ofServer,
    output: z.strictObject({
      content: z.array(contentItem),
      more: z.int(),
      revision: z.string(),
      /** Types that the server loads, by its loader. */
      types: z.array(z.enum(['mod', 'plugin', 'datapack'])),
      pack: packView.nullable(),
      changes: z.array(changeView).max(20),
    }),
    limit: 'calls',
    answered_by: 'agent',
  },
  /** What installing these projects would do, dependencies included. */
  'content.plan': {
    input: ofServer.extend({
      items: z
        .array(z.object({ project_id: z.string().max(64), version_id: id.optional() }))
        .min(1)
        .max(20),
    }),
    output: z.strictObject({ plan: contentPlan }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'content.install': {
    input: ofServer.extend({
      op_id: opId,
      revision,
      /** As planned. */
      versions: z.array(id).min(1).max(500),
    }),
    output: change,
    limit: 'calls',
    answered_by: 'agent',
  },
  /** What updating these files (all when null) to their newest versions that fit would do. */
  'content.update_plan': {
    input: ofServer.extend({ paths: z.array(path).min(1).max(1_000).nullable() }),
    output: z.strictObject({ plan: contentPlan }),
    limit: 'calls',
    answered_by: 'agent',
  },
  /** Replaces files by other versions, and adds what these need. */
  'content.update': {
    input: ofServer.extend({
      op_id: opId,
      revision,
      updates: z
        .array(z.object({ path: path.nullable(), version_id: id }))
        .min(1)
        .max(1_000),
    }),
    output: change,
    limit: 'calls',
    answered_by: 'agent',
  },
  'content.toggle': {
    input: ofServer.extend({
      op_id: opId,
      revision,
      paths: z.array(path).min(1).max(1_000),
      enabled: z.boolean(),
    }),
    output: change,
    limit: 'calls',
    answered_by: 'agent',
  },
  'content.remove': {
    input: ofServer.extend({ op_id: opId, revision, paths: z.array(path).min(1).max(1_000) }),
    output: change,
    limit: 'calls',
    answered_by: 'agent',
  },
  /** Takes the newest change back. */
  'content.undo': stored({
    input: ofServer.extend({ op_id: opId, change_id: opId }),
    output: change,
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) => undoServerChange(db, actor, message, settings, now()),
    answer: (_call, _message, change) => ({ change }),
  }),
  'content.pack_plan': {
    input: ofServer.extend({ project_id: z.string().max(64), version_id: id.optional() }),
    output: z.strictObject({ plan: packPlan }),
    limit: 'calls',
    answered_by: 'agent',
  },
  /** Installs a modpack: stops the server, makes a backup, changes loader and files, and starts it if it ran. */
  'content.pack_install': {
    input: ofServer.extend({
      op_id: opId,
      revision,
      version_id: id,
      backup: z.boolean(),
      /** Whether a running server may be stopped. */
      stop: z.boolean(),
    }),
    output: change,
    limit: 'calls',
    answered_by: 'agent',
  },
  /** The files of a version of a modpack beside those of the server. */
  'content.compare': {
    input: ofServer.extend({ version_id: id }),
    output: z.strictObject({ comparison }),
    limit: 'calls',
    answered_by: 'agent',
  },
} as const satisfies RequestMap;

/** Requests of panels about game version and loader, in `loader.*`, and changes in steps. */
export const loaderRequests = {
  /** What the server can be: game versions, newest first, with their loaders, and known versions of each loader. */
  'loader.show': stored({
    input: ofServer,
    output: z.strictObject({
      game_version: z.string(),
      loader: z.string().nullable(),
      /** null: the newest one. */
      loader_version: z.string().nullable(),
      offers: z.array(z.strictObject({ game_version: z.string(), loaders: z.array(z.string()) })),
      /** Versions of loaders that modpacks of the catalogue ask for, newest first, and for which game versions. */
      loader_versions: z.record(
        z.string(),
        z.array(z.strictObject({ version: z.string(), game_versions: z.array(z.string()) })),
      ),
      change: changeView.nullable(),
    }),
    limit: 'calls',
    answer: ({ db, actor, now }, { server_id }) => showLoader(db, actor, server_id, now()),
  }),
  /**
   * Changes game version or loader: stops the server, makes a backup unless `backup` is false, removes all files with
   * `erase`, and starts it if it ran.
   */
  'loader.change': stored({
    input: ofServer.extend({
      op_id: opId,
      game_version: z.string().max(40),
      loader: z.string().max(40).nullable(),
      loader_version: z.string().max(60).nullable(),
      erase: z.boolean(),
      backup: z.boolean(),
      stop: z.boolean(),
    }),
    output: change,
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) => changeLoader(db, actor, message, settings, now()),
    answer: (_call, _message, change) => ({ change }),
  }),
  /** Ends a change that has not begun to change files. */
  'changes.cancel': stored({
    input: ofServer.extend({ change_id: opId }),
    output: change,
    limit: 'calls',
    write: ({ db, actor, settings, now }, message) => cancelChange(db, actor, message, settings, now()),
    answer: (_call, _message, change) => ({ change }),
  }),
} as const satisfies RequestMap;
