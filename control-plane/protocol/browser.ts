import { z } from 'zod';
import { type NoticeView, noticeView } from '#db/notices/view.ts';
import { powerActions } from '#db/servers/rules.ts';
import { type ServerView, serverView } from '#db/servers/view.ts';
import type { ClientEvents, RequestMap } from './ack.ts';
import type { OperationKind } from './agent.ts';
import {
  type ConsoleUpdate,
  consoleUpdate,
  knownCommand,
  playerCount,
  type ServerStats,
  serverStats,
} from './console.ts';

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

const rooms = ['state', 'console', 'stats'] as const;
export type Room = (typeof rooms)[number];

/**
 * Every request of a panel: the shapes of message and answer, and its rate limit. One with an `operation` is answered with
 * the result of that operation of the server's agent; every other one has a handler in `panel/handlers.ts`.
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
      console: consoleUpdate.nullable(),
      /** Of the last minute, oldest first. */
      stats: z.array(serverStats),
      notices: z.array(noticeView),
    }),
    limit: 'joins',
    answered_by: 'agent',
  },
  'server.leave': { input: z.object({ server_id: id }), output: nothing, limit: 'calls' },
  'server.power': {
    input: z.object({ server_id: id, op_id: opId, action: z.enum(powerActions) }),
    output: server,
    limit: 'calls',
  },
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
  'server.rename': {
    input: z.object({ server_id: id, name: z.string().max(200) }),
    output: server,
    limit: 'calls',
  },
  'server.delete': { input: z.object({ server_id: id }), output: nothing, limit: 'calls' },
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
      servers: z.array(serverView),
      /** Of those that run, by ID, where they are known. */
      players: z.record(z.string(), playerCount),
    }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'server.show': { input: z.object({ server_id: id }), output: server, limit: 'calls' },
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
  'notice.dismiss': { input: z.object({ notice_id: id }), output: nothing, limit: 'calls' },
} as const satisfies RequestMap<OperationKind>;

/** Panel to control plane. */
export type PanelRequests = ClientEvents<typeof panelRequests>;

/** Control plane to panel. */
export interface PanelEvents {
  state(message: { server: ServerView }): void;
  console(message: ConsoleUpdate): void;
  stats(message: ServerStats): void;
  notices(message: { server_id: string; notices: NoticeView[] }): void;
  /** The client is no longer in the server's rooms: the right ended, the server was deleted, the session ended. */
  'access.revoked'(message: { server_id: string; error: string; description: string }): void;
  /** The agent of the server's node disconnected (the console stands still) or is back. */
  'node.status'(message: { server_id: string; online: boolean; last_seen: string | null }): void;
}
