import { z } from 'zod';
import { type NoticeView, noticeView } from '#db/hosting/notices/view.ts';
import { dismissNotice } from '#db/hosting/notices/write.ts';
import type { backupView } from '#db/hosting/servers/backups/view.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { cancelFileOperation } from '#db/hosting/servers/files/cancel.ts';
import { operationView } from '#db/hosting/servers/operation-view.ts';
import type { PersonHere } from '#db/hosting/servers/people/view.ts';
import { serverView as viewOfServer } from '#db/hosting/servers/read.ts';
import { powerActions, type ServerAccess } from '#db/hosting/servers/rules.ts';
import type { ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { type ServerView, serverAccess, serverView, sharedServer } from '#db/hosting/servers/view.ts';
import { renameServer, setPower } from '#db/hosting/servers/write.ts';
import { deleteServerFor } from '#db/money/billing/delete-server.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { ClientEvents, RequestMap } from './ack.ts';
import type { OperationKind } from './agent.ts';
import { backupRequests } from './backup-requests.ts';
import {
  type ConsoleUpdate,
  consoleUpdate,
  knownCommand,
  playerCount,
  type ServerStats,
  serverStats,
} from './console.ts';
import { contentRequests, loaderRequests } from './content-requests.ts';
import { crashRequests } from './crash-requests.ts';
import { type FileQuery, fileOperations, fileQueries } from './files.ts';
import { optionsRequests } from './options-requests.ts';
import { peopleRequests } from './people-requests.ts';
import { planRequests } from './plan-requests.ts';
import { playersRequests } from './players-requests.ts';
import { scheduleRequests } from './schedule-requests.ts';
import { sftpRequests } from './sftp.ts';
import { type Call, stored } from './stored.ts';
import { transferWays } from './transfers.ts';

/**
 * What panels, `cairn server` and the control plane send each other over Socket.IO, namespace /server. Source: hosting §5.
 *
 * At the handshake: `auth.token` (`mra_` or `mrp_`), or the session cookie from a page of ours; `auth.locale` for the texts
 * of refusals. A refused client gets `connect_error` with `data` { error, description }, and has to reconnect by itself.
 * `io server disconnect` is the end of a right; a control plane that stops only drops connections.
 * Only the room `state` of a suspended server may be joined: its others are left out of the join.
 */

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const opId = z.uuid();
const nothing = z.strictObject({});
const server = z.strictObject({ server: serverView });

const shown = async ({ db, actor, now }: Call<Pool>, { server_id }: { server_id: string }) => ({
  server: await viewOfServer(db, actor, server_id, now()),
});

/** `tasks`: operations and backups, with how far they are. */
const rooms = ['state', 'console', 'stats', 'tasks'] as const;
export type Room = (typeof rooms)[number];

/** The shape of `Part` with the fields of `More`: a generic `extend` would give the union of all parts. */
type Extended<Part extends z.ZodObject, More extends z.ZodRawShape> = z.ZodObject<Part['shape'] & More>;

/** A query of files, answered by the agent. */
const fileQuery = <Q extends FileQuery>(query: Q) => ({
  input: fileQueries[query].input.extend({ server_id: id }) as unknown as Extended<
    (typeof fileQueries)[Q]['input'],
    { server_id: typeof id }
  >,
  output: fileQueries[query].output as (typeof fileQueries)[Q]['output'],
  limit: 'calls' as const,
  answered_by: 'agent' as const,
});
/**
 * An operation on files. `result` is null while it goes on: the event `operation` tells how far it is, and how it ended.
 */
const fileOperation = <K extends keyof typeof fileOperations>(kind: K) => ({
  input: fileOperations[kind].input.extend({ server_id: id, op_id: opId }) as unknown as Extended<
    (typeof fileOperations)[K]['input'],
    { server_id: typeof id; op_id: typeof opId }
  >,
  output: z.strictObject({
    result: fileOperations[kind].output.nullable() as z.ZodNullable<(typeof fileOperations)[K]['output']>,
  }),
  limit: 'calls' as const,
  operation: kind,
});

/**
 * Every request of a panel: the shapes of message and answer, its rate limit, and who answers. A `stored` one has what it does in its
 * row; one with an `operation` is answered with the result of that operation of the server's agent; every other one, which works
 * with agents and connections, has a handler in `panel/handlers.ts`.
 */
export const panelRequests = {
  /** Joins these rooms of a server and leaves the others. */
  'server.join': {
    input: z.object({
      server_id: id,
      rooms: z.array(z.enum(rooms)).min(1).max(rooms.length),
      /** What the console shows already: lines after it are sent. */
      console: z.object({ epoch: z.string().max(200), next: z.int().min(0) }).optional(),
    }),
    output: z.strictObject({
      server: serverView,
      access: serverAccess,
      console: consoleUpdate.nullable(),
      /** Of the last minute, oldest first. */
      stats: z.array(serverStats),
      notices: z.array(noticeView),
    }),
    limit: 'joins',
    answered_by: 'agent',
  },
  'server.leave': { input: z.object({ server_id: id }), output: nothing, limit: 'calls' },
  'server.power': stored({
    input: z.object({ server_id: id, op_id: opId, action: z.enum(powerActions) }),
    output: server,
    limit: 'calls',
    write: ({ db, actor, now }, message) => setPower(db, actor, message, now()),
    answer: shown,
  }),
  'server.command': {
    input: z.object({ server_id: id, text: z.string().max(100_000) }),
    output: nothing,
    limit: 'commands',
    answered_by: 'agent',
  },
  /** The commands that its process knows, by its own help; none when it has no help. For completion. */
  'server.commands': {
    input: z.object({ server_id: id }),
    output: z.strictObject({ epoch: z.string().nullable(), commands: z.array(knownCommand) }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'server.rename': stored({
    input: z.object({ server_id: id, name: z.string().max(200) }),
    output: server,
    limit: 'calls',
    write: ({ db, actor, now }, message) => renameServer(db, actor, message, now()),
    answer: shown,
  }),
  'server.delete': stored({
    input: z.object({ server_id: id }),
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, now }, { server_id }) => deleteServerFor(db, actor, server_id, now()),
    answer: () => ({}),
  }),
  /** Lines before `before`, the newest of them, oldest first. */
  'server.history': {
    input: z.object({
      server_id: id,
      before: z.int().positive().nullable(),
      limit: z.int().min(1).max(2000),
    }),
    output: z.strictObject({ console: consoleUpdate }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'server.list': {
    input: z.object({}),
    output: z.strictObject({
      /** The user's own, and those of others that the user may use. */
      servers: z.array(serverView),
      /** Of the servers of others, by ID. */
      shared: z.record(z.string(), sharedServer),
      /** Of those that run, by ID, where they are known. */
      players: z.record(z.string(), playerCount),
    }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'server.show': stored({
    input: z.object({ server_id: id }),
    output: server,
    limit: 'calls',
    answer: shown,
  }),
  'server.create': {
    input: z.object({
      /** Made by the client: the same one twice makes one server. */
      op_id: opId,
      name: z.string().max(200),
      plan: z.string().max(20),
      ram_gb: z.int().optional(),
      kind: z.string().max(40),
      region: z.string().max(40).optional(),
      game_version: z.string().max(40).optional(),
      terms_accepted: z.boolean(),
    }),
    output: z.strictObject({ id: z.string() }),
    limit: 'calls',
  },
  'files.list': fileQuery('list'),
  'files.stat': fileQuery('stat'),
  'files.search': fileQuery('search'),
  'files.trash': fileQuery('trash'),
  'files.unpack_plan': fileQuery('unpack_plan'),
  'files.create': fileOperation('file_create'),
  'files.move': fileOperation('file_move'),
  'files.copy': fileOperation('file_copy'),
  'files.delete': fileOperation('file_delete'),
  'files.restore': fileOperation('file_restore'),
  'files.purge': fileOperation('file_purge'),
  'files.unpack': fileOperation('file_unpack'),
  'files.fetch': fileOperation('file_fetch'),
  /**
   * Cancels a copy, an unpacking or a fetch: the event `operation` says when it ended, with the refusal `operation_canceled`,
   * or `done` when it was complete first. One that has ended already stays as it is.
   */
  'files.cancel': stored({
    input: z.object({ server_id: id, op_id: opId }),
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, now }, message) => cancelFileOperation(db, actor, message, now()),
    answer: () => ({}),
  }),
  /** One file as it is, or anything as an archive: `GET address`, once. The answer has the file's etag as `etag`. */
  'files.download': {
    input: z.object({
      server_id: id,
      paths: fileQueries.send.input.shape.paths,
      as: fileQueries.send.input.shape.as,
      /** It is looked at or edited here, which the activity tells from a download. */
      opens: z.boolean().optional(),
    }),
    output: z.strictObject(transferWays),
    limit: 'calls',
    answered_by: 'agent',
  },
  /**
   * Begins an upload, its bytes are reserved. `address` on the site speaks the tus protocol (HEAD, PATCH, DELETE) for a day;
   * `files.place` moves the complete upload to its place.
   */
  'files.upload': {
    input: z.object({
      server_id: id,
      /** Made by the client: the same one twice is one upload, which goes on. */
      upload_id: opId,
      path: fileQueries.upload_begin.input.shape.path,
      bytes: z.int().min(0),
    }),
    output: z.strictObject({ ...transferWays, offset: z.int() }),
    limit: 'uploads',
    answered_by: 'agent',
  },
  'files.place': { ...fileQuery('upload_finish'), limit: 'uploads' },
  /** An operation of this server, however it went; for clients that lost the event. */
  'server.operation': {
    input: z.object({ server_id: id, op_id: opId }),
    output: z.strictObject({ operation: operationView }),
    limit: 'calls',
  },
  ...backupRequests,
  'notice.dismiss': stored({
    input: z.object({ notice_id: id }),
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, now }, { notice_id }) => dismissNotice(db, actor, notice_id, now()),
    answer: () => ({}),
  }),
  ...sftpRequests,
  ...optionsRequests,
  ...planRequests,
  ...playersRequests,
  ...crashRequests,
  ...scheduleRequests,
  ...contentRequests,
  ...loaderRequests,
  ...peopleRequests,
} as const satisfies RequestMap<OperationKind>;

/** Panel to control plane. */
export type PanelRequests = ClientEvents<typeof panelRequests>;

/** Control plane to panel. */
export interface PanelEvents {
  state(message: { server: ServerView }): void;
  console(message: ConsoleUpdate): void;
  stats(message: ServerStats): void;
  notices(message: { server_id: string; notices: NoticeView[] }): void;
  /** Room `tasks`: an operation that a user requested goes on or has ended. */
  operation(message: { server_id: string; operation: z.output<typeof operationView> }): void;
  /** Room `tasks`: all backups, after each change; newest first. */
  backups(message: { server_id: string; backups: z.output<typeof backupView>[] }): void;
  /** Room `tasks`: the newest changes of content and loader, after each step; newest first. */
  changes(message: { server_id: string; changes: ChangeView[] }): void;
  /** Who has the panel of a joined server open now, the user too; after joining and with each change. */
  presence(message: { server_id: string; people: PersonHere[] }): void;
  /** What the user may do on a joined server changed. */
  access(message: { server_id: string; access: ServerAccess }): void;
  /** Room `tasks`: all schedules with their newest runs, after each change. */
  schedules(message: { server_id: string; schedules: ScheduleView[] }): void;
  /** The client is no longer in the server's rooms: the right ended, the server was deleted, the session ended. */
  'access.revoked'(message: { server_id: string; error: string; description: string }): void;
  /** The agent of the server's node disconnected (the console stands still) or is back. */
  'node.status'(message: { server_id: string; online: boolean; last_seen: string | null }): void;
}
