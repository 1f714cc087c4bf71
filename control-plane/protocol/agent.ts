import { z } from 'zod';
import { powers } from '#db/hosting/servers/rules.ts';
import type { Ack } from './ack.ts';
import { backupOperations, type DiscardMessages, type StorageMessages } from './backups.ts';
import {
  type ConsoleLine,
  consoleLine,
  type KnownCommand,
  max_line_bytes,
  type ServerStats,
  serverStats,
} from './console.ts';
import { contentOperations } from './content.ts';
import { cutText, newestWithin } from './cut-text.ts';
import { agentFileOperations, type FileQuery, type operationProgress, type QueryAnswer } from './files.ts';
import type { heartbeat } from './heartbeat.ts';
import type { SentSpec } from './server-spec.ts';
import type { CutMessages, TransferMessages } from './transfers.ts';

/**
 * Messages between control plane and agents over Socket.IO, namespace /agent. Every message is parsed with its shape
 * here; anything else is refused with `invalid_input`. Source: hosting §5.
 */

/**
 * The versions of this protocol that this code speaks, oldest and newest. An agent outside of them is refused with
 * `agent_protocol`. Both sides use the newest one that they share, so that one side can be upgraded before the other.
 */
export const protocolVersions = { min: 1, max: 1 } as const;
/** Interval of heartbeats; without one an agent counts as offline after `offline_after_ms`. Source: hosting §6. */
export const heartbeat_ms = 5_000;
/** Console: lines of a batch, and batches that may wait for their acknowledgement. Source: hosting §5.4. */
export const max_batch_lines = 500;
export const max_unacked_batches = 4;

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const instant = z.iso.datetime({ offset: true });
const whole = z.int().min(0);

/**
 * `auth` of an agent's handshake. A node with a join token sends it once instead of `secret` and receives its secret.
 */
export const agentHandshake = z.object({
  node_id: id.optional(),
  secret: z.string().max(200).optional(),
  join_token: z.string().max(200).optional(),
  protocol: z.tuple([whole, whole]),
  agent_version: z.string().max(50),
  boot_id: z.string().max(100),
  /** Milliseconds since 1970 on the agent's clock; `Welcome` returns the difference. */
  clock: z.number(),
});
export type AgentHandshake = z.output<typeof agentHandshake>;

/** First message of the control plane to an agent (`welcome`). */
export interface Welcome {
  node_id: string;
  /** Only after a join token: the agent stores it in a file that only itself can read. */
  secret: string | null;
  lease: number;
  protocol: number;
  /** Clock of the control plane minus clock of the agent, in milliseconds: `not_after` is compared with it. */
  clock_offset: number;
  /** The label `cairn.installation` of all its containers. */
  installation: string;
  node: { name: string; bind_address: string; port_from: number; port_to: number };
  /** Of the site: its pages may use the port of an agent (`transfers.ts`); older planes leave it out. */
  site_origin?: string;
}

export { type SentSpec, type ServerSpec, serverSpec, specHash } from './server-spec.ts';

/** `inventory`, agent to control plane after `welcome`: the specifications it has. The answer is `Reconciled`. */
export const inventory = z.object({
  lease: whole,
  servers: z.record(id, z.object({ generation: whole, hash: z.string() })),
});
export interface Reconciled {
  specs: SentSpec[];
  /** Deleted servers: the agent removes their containers, then their files. */
  deleted: string[];
}

/**
 * Every kind of operation: its arguments, and its result once it is `done`. An agent has one handler for every entry
 * (`agents/operations/operation-handlers.ts`) and answers `unknown_kind` to any other kind.
 */
export const operationShapes = {
  /** Ends the server's process at once. */
  kill: { input: z.object({}), output: z.object({ was_running: z.boolean().optional() }) },
  ...agentFileOperations,
  ...backupOperations,
  ...contentOperations,
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;
export type OperationKind = keyof typeof operationShapes;
export type OperationInput<K extends OperationKind> = z.output<(typeof operationShapes)[K]['input']>;
export type OperationOutput<K extends OperationKind> = z.output<(typeof operationShapes)[K]['output']>;
export const operation = z.object({
  op_id: z.uuid(),
  server_id: id,
  kind: z.string().max(50),
  args: z.record(z.string(), z.unknown()),
  not_after: instant,
  lease: whole,
});
export type Operation = z.output<typeof operation>;
/**
 * Answer to `operation.run`; the end of an operation is an event. `stale` is an operation under an older lease, `invalid`
 * one whose server or arguments the agent cannot use.
 */
export type OperationAnswer =
  | { status: 'accepted' }
  | { status: 'duplicate'; state: string }
  | { status: 'expired' | 'invalid' | 'stale' | 'unknown_kind' }
  | { status: 'busy'; by: string };

/** A lasting report of an agent, in order. Types and their `data` are in `agentEvents`. */
const agentEvent = z.object({
  seq: z.int().positive(),
  server_id: id.nullable(),
  type: z.string().max(50),
  at: instant,
  data: z.record(z.string(), z.unknown()),
});
export type AgentEvent = z.output<typeof agentEvent>;
export const eventBatch = z.object({
  lease: whole,
  stream_id: z.string().max(100),
  events: z.array(agentEvent).max(200),
});
/**
 * Maximum bytes of the lines in a crash report, the newest lines remain. An agent sends no more; the control plane
 * stores no more.
 */
export const max_last_lines_bytes = 32 * 1024;

/** The agent cut this event's data: it was too large for a message. */
const shortened = z.literal(true).optional();

/** Data of each type of event; an unknown type is stored and changes nothing. */
export const agentEvents = {
  /** `power` changed under `generation`. */
  'server.power': z.object({
    power: z.enum(powers),
    generation: whole,
    /** Container id and start time, when there is a container: the epoch of its console. */
    epoch: z.string().nullable(),
    started_at: instant.nullable(),
    exit_code: z.int().nullable(),
    out_of_memory: z.boolean(),
    /** Last lines of a crashed process, oldest first, at most 50. */
    last_lines: z
      .array(cutText(max_line_bytes))
      .max(50)
      .transform((lines) => newestWithin(lines, max_last_lines_bytes)),
    /** It crashed too often and stays down until a user starts it. */
    crash_loop: z.boolean(),
    /** When a crashed process is started again; an older agent does not say. */
    restart_at: instant.nullable().default(null),
    /** Seconds from the start until players could join, sent once with `running`. */
    duration_s: z.number().nullable(),
    /** It is stopped because nobody plays, and starts when somebody joins. */
    sleeping: z.boolean().default(false),
    /** A player woke it: it starts. */
    woken: z.boolean().default(false),
    shortened,
  }),
  /** Image and files are ready: the server can be started. */
  'server.installed': z.object({ generation: whole }),
  /**
   * A step failed. `step` is the cause (`port_taken`, `image_missing`, `limit_refused`, `disk_full`, `disk_failed`,
   * `name_taken`, `kind_unknown`, `network_open`, `machine_full`, `docker_failed`), `error` the message. `server.installed` follows once it is over.
   */
  'server.broken': z.object({ step: cutText(50), error: cutText(2_000), generation: whole, shortened }),
  /**
   * A running server has the limits of its specification. `at_start`: part of them waits for the next start, because
   * the process read it when it began (the size of its heap), or because it uses more memory than the new limit.
   */
  'server.resized': z.object({ generation: whole, at_start: z.boolean() }),
  /** Container and files of a deleted server were removed. */
  'server.deleted': z.object({}),
  /**
   * A warning for users that changes nothing: `slow_start`, `stop_forced`, `oom_child`, `disk_full`, `extra_port_taken`,
   * `sleep_port_taken`.
   */
  'server.warning': z.object({ code: cutText(50), detail: cutText(2_000).default(''), shortened }),
  'operation.ended': z.object({
    op_id: z.uuid(),
    state: z.enum(['done', 'failed', 'interrupted', 'expired']),
    result: z.record(z.string(), z.unknown()),
    shortened,
  }),
} as const;
export type AgentEventType = keyof typeof agentEvents;

/** `console.lines`, agent to control plane, acknowledged when received; at most `max_unacked_batches` wait for that. */
export const consoleLines = z.object({
  lease: whole,
  server_id: id,
  epoch: z.string().max(200),
  /** Lines between `from` and the first of `lines` are lost. */
  from: z.int().positive(),
  lines: z.array(consoleLine).max(max_batch_lines),
});

/**
 * `stats`, agent to control plane, volatile: each server with viewers once a second, all others together every 10 s. The plane
 * makes minutes of them (`figures/`).
 */
export const statsMessage = z.object({ lease: whole, servers: z.array(serverStats).max(1_000) });

/** Control plane to agent. Every message but `watch` is acknowledged. */
export interface ToAgent extends DiscardMessages, CutMessages {
  welcome(message: Welcome): void;
  'spec.put'(spec: SentSpec, ack: (answer: { generation: number }) => void): void;
  'spec.delete'(message: { server_id: string }, ack: (answer: { ok: true }) => void): void;
  'operation.run'(operation: Operation, ack: (answer: OperationAnswer) => void): void;
  /** At most once: never sent again. */
  'console.write'(
    message: { server_id: string; text: string; lease: number },
    ack: (
      answer: { delivered: true } | { delivered: false; why: 'not_running' | 'stale' | 'failed' },
    ) => void,
  ): void;
  /** Servers that have viewers: only their lines and stats are sent at once. */
  watch(message: { server_ids: string[] }): void;
  /** Buffered lines (and lines of Docker's log) with `seq < before`, newest `limit` of them, oldest first. */
  'console.tail'(
    message: { server_id: string; before: number | null; limit: number },
    ack: (answer: { epoch: string | null; lines: ConsoleLine[]; first: number }) => void,
  ): void;
  /**
   * The commands that its process knows by its own help, which is asked once for each start; none while it does not run
   * and when it has no help.
   */
  'console.commands'(
    message: { server_id: string },
    ack: (answer: { epoch: string | null; commands: KnownCommand[] }) => void,
  ): void;
  /** Asks about files, under the lease; since version 4. */
  'files.query'(
    message: { server_id: string; lease: number; query: FileQuery; args: object },
    ack: (answer: QueryAnswer) => void,
  ): void;
  /** A new secret that replaces the one before; without an acknowledgement the agent could not store it. */
  'secret.rotate'(message: { secret: string }, ack: (answer: { ok: true }) => void): void;
}

/**
 * Agent to control plane. A message under an older lease is answered `{ ok: false, error: 'lease_stale' }` and
 * changes nothing.
 */
export interface FromAgent extends StorageMessages, TransferMessages {
  inventory(message: z.input<typeof inventory>, ack: (answer: Ack<Reconciled>) => void): void;
  'events.push'(message: z.input<typeof eventBatch>, ack: (answer: Ack<{ seq: number }>) => void): void;
  heartbeat(message: z.input<typeof heartbeat>, ack: (answer: Ack) => void): void;
  'console.lines'(message: z.input<typeof consoleLines>, ack: (answer: Ack) => void): void;
  stats(message: { lease: number; servers: ServerStats[] }): void;
  /** Volatile: how far an operation is, at most once a second; since version 4. */
  'operation.progress'(message: z.input<typeof operationProgress>): void;
}
