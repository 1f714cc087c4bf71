import { z } from 'zod';
import type { NodeView } from '#db/nodes/view.ts';
import type { NoticeView } from '#db/notices/view.ts';
import { powerActions, staffSuspensions } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { ConsoleLine, ServerStats } from './agent-protocol.ts';

export type { ConsoleLine, NodeView, NoticeView, ServerStats, ServerView };

/**
 * What browsers, `cairn server` and the control plane say to each other over Socket.IO: namespaces /server and /staff.
 * Every message from outside is parsed by its shape here. What agents say stands in `agent-protocol.ts`. Source: hosting §5.
 */

/*
 * At the handshake: `auth.token` (`mra_` or `mrp_`), or the session cookie from a page of ours; `auth.locale` for the words
 * of refusals. Who is turned away gets `connect_error` with `data` { error, description }, and has to dial again by itself.
 * `io server disconnect` is the end of a right; a control plane that stops only drops connections.
 * A suspended server's `state` and `tasks` may be joined, its other rooms not: they are left out of the join.
 */

/** One message, at most. Source: hosting §5.2. */
export const messageBytes = 1_000_000;

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const whole = z.int().min(0);

/** Every answer to a message: what was asked, or a refusal of `db/errors.ts` by its code with words for people. */
export type Answer<T extends object = Record<never, never>> =
  | ({ ok: true } & T)
  | {
      ok: false;
      error: string;
      description: string;
      /** When the same message may be sent again, where waiting is all that is needed. */
      retry_after_ms?: number;
    };

export const rooms = ['state', 'console', 'stats', 'tasks', 'files'] as const;
export type Room = (typeof rooms)[number];

const opId = z.uuid();
export const fromBrowser = {
  'server.join': z.object({
    server_id: id,
    rooms: z.array(z.enum(rooms)).min(1).max(rooms.length),
    /** What the console shows already: lines after it are wanted. */
    console: z.object({ epoch: z.string().max(200), next: whole }).optional(),
  }),
  'server.leave': z.object({ server_id: id }),
  'server.power': z.object({ server_id: id, op_id: opId, action: z.enum(powerActions) }),
  'server.command': z.object({ server_id: id, text: z.string().max(100_000) }),
  'server.rename': z.object({ server_id: id, name: z.string().max(200) }),
  'server.delete': z.object({ server_id: id }),
  'server.history': z.object({
    server_id: id,
    before: z.int().positive().nullable(),
    limit: z.int().min(1).max(2000),
  }),
  'server.list': z.object({}),
  'server.show': z.object({ server_id: id }),
  'server.create': z.object({
    /** Made by the caller: the same one twice makes one server. */
    op_id: opId,
    name: z.string().max(200),
    plan: z.string().max(20),
    ram_gb: z.int().optional(),
    kind: z.string().max(40),
    region: z.string().max(40).optional(),
    game_version: z.string().max(40).optional(),
    terms_accepted: z.boolean(),
  }),
  'notice.dismiss': z.object({ notice_id: id }),
} as const;

/** Lines for a console that shows everything up to `from - 1`; `gap` lines before `lines` are lost for good. */
export interface ConsoleUpdate {
  server_id: string;
  epoch: string;
  from: number;
  gap: number;
  lines: ConsoleLine[];
}

type In<E extends keyof typeof fromBrowser> = z.input<(typeof fromBrowser)[E]>;
/** Browser to plane, namespace /server. */
export interface FromBrowser {
  'server.join'(
    message: In<'server.join'>,
    taken: (
      answer: Answer<{ server: ServerView; console: ConsoleUpdate | null; notices: NoticeView[] }>,
    ) => void,
  ): void;
  'server.leave'(message: In<'server.leave'>, taken: (answer: Answer) => void): void;
  'server.power'(message: In<'server.power'>, taken: (answer: Answer<{ server: ServerView }>) => void): void;
  'server.command'(message: In<'server.command'>, taken: (answer: Answer) => void): void;
  'server.rename'(
    message: In<'server.rename'>,
    taken: (answer: Answer<{ server: ServerView }>) => void,
  ): void;
  'server.delete'(message: In<'server.delete'>, taken: (answer: Answer) => void): void;
  'server.history'(
    message: In<'server.history'>,
    taken: (answer: Answer<{ console: ConsoleUpdate }>) => void,
  ): void;
  'server.list'(message: In<'server.list'>, taken: (answer: Answer<{ servers: ServerView[] }>) => void): void;
  'server.show'(message: In<'server.show'>, taken: (answer: Answer<{ server: ServerView }>) => void): void;
  'server.create'(message: In<'server.create'>, taken: (answer: Answer<{ id: string }>) => void): void;
  'notice.dismiss'(message: In<'notice.dismiss'>, taken: (answer: Answer) => void): void;
}
/** Plane to browser, namespace /server. */
export interface ToBrowser {
  state(message: { server: ServerView }): void;
  console(message: ConsoleUpdate): void;
  stats(message: ServerStats): void;
  task(message: {
    server_id: string;
    op_id: string;
    kind: string;
    state: string;
    result: object | null;
  }): void;
  notices(message: { server_id: string; notices: NoticeView[] }): void;
  /** One is no longer in its rooms: the right ended, the server is gone, the session ended. */
  gone(message: { server_id: string; error: string; description: string }): void;
  /** The console's agent is away (`lines` stand still) or back. */
  node(message: { server_id: string; online: boolean; last_seen: string | null }): void;
}

export const fromStaff = {
  'node.list': z.object({}),
  'node.drain': z.object({ node_id: id, draining: z.boolean() }),
  /** Another size, where it stands. What is left out follows from the memory as with plans. */
  'server.resize': z.object({
    server_id: id,
    ram_gb: z.int().min(1).max(1024),
    /** Cores. */
    cpu: z.number().min(0.1).max(256).optional(),
    disk_gb: z.int().min(1).max(65_536).optional(),
  }),
  'server.suspend': z.object({ server_id: id, reason: z.enum(staffSuspensions) }),
  'server.resume': z.object({ server_id: id }),
} as const;
type Staff<E extends keyof typeof fromStaff> = z.input<(typeof fromStaff)[E]>;
/** Browser and `cairn server` to plane, namespace /staff: administrators only. */
export interface FromStaff {
  'node.list'(message: object, taken: (answer: Answer<{ nodes: NodeView[] }>) => void): void;
  'node.drain'(message: Staff<'node.drain'>, taken: (answer: Answer<{ node: NodeView }>) => void): void;
  'server.resize'(
    message: Staff<'server.resize'>,
    taken: (answer: Answer<{ server: ServerView }>) => void,
  ): void;
  'server.suspend'(
    message: Staff<'server.suspend'>,
    taken: (answer: Answer<{ server: ServerView }>) => void,
  ): void;
  'server.resume'(
    message: Staff<'server.resume'>,
    taken: (answer: Answer<{ server: ServerView }>) => void,
  ): void;
}
export interface ToStaff {
  nodes(message: { nodes: NodeView[] }): void;
}
