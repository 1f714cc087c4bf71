import { createHash } from 'node:crypto';
import { z } from 'zod';
import { powers } from '#db/servers/rules.ts';
import type { Ack } from './ack.ts';
import { type ConsoleLine, consoleLine, max_line_bytes, type ServerStats, serverStats } from './console.ts';

/**
 * What control plane and agents say to each other over Socket.IO, namespace /agent. Every message is parsed by its shape
 * here; whatever does not fit is refused with `invalid_input`. Source: hosting §5.
 */

/**
 * The versions of this protocol that this code speaks, oldest and newest. An agent outside of them is refused with
 * `agent_protocol`. Version 2 renamed messages and fields to the terms of the field.
 */
export const protocolVersions = { min: 2, max: 2 } as const;
/** A control plane hears an agent at least this often, or it counts as away after `offline_after_ms`. Source: hosting §6. */
export const heartbeat_ms = 5_000;
export { offline_after_ms as away_ms } from '#db/nodes/rules.ts';
/** Console: lines a batch, batches not yet acknowledged. Source: hosting §5.4. */
export const max_batch_lines = 500;
export const max_unacked_batches = 4;

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const instant = z.iso.datetime({ offset: true });
const whole = z.int().min(0);

/** `auth` of an agent's handshake. A node that has a join token sends it once instead of `secret` and is told its secret. */
export const agentHandshake = z.object({
  node_id: id.optional(),
  secret: z.string().max(200).optional(),
  join_token: z.string().max(200).optional(),
  protocol: z.tuple([whole, whole]),
  agent_version: z.string().max(50),
  boot_id: z.string().max(100),
  /** Milliseconds since 1970 on the agent's clock; the difference travels back in `Welcome`. */
  clock: z.number(),
});
export type AgentHandshake = z.output<typeof agentHandshake>;

/** First message of the plane to an agent (`welcome`). */
export interface Welcome {
  node_id: string;
  /** Only after a join token: to be kept in a file that only the agent can read. */
  secret: string | null;
  lease: number;
  protocol: number;
  /** Plane clock minus agent clock, in milliseconds: `not_after` is judged by it. */
  clock_offset: number;
  /** The label `cairn.installation` of all its containers. */
  installation: string;
  node: { name: string; bind_address: string; port_from: number; port_to: number };
}

/** What is wanted of one server: the whole document, under one generation. */
export const serverSpec = z.object({
  server_id: id,
  generation: whole,
  name: z.string(),
  kind: z.string(),
  game_version: z.string(),
  loader: z.string().nullable(),
  ram_mb: z.int().positive(),
  swap_mb: whole,
  cpu_millis: z.int().positive(),
  disk_mb: z.int().positive(),
  port: z.int().min(1).max(65535),
  terms_accepted: z.boolean(),
  power: z.enum(['on', 'off']),
  /**
   * Rises with every start and restart that a person asks for. What runs is restarted; what rests (crashed too often,
   * stopped from its own console, killed) starts again. Turning power off and on wakes it too.
   */
  restart_seq: whole,
  /** Suspended servers are stopped and stay so; what lies in their folder stays. */
  suspended: z.boolean(),
  /** Rises with every new size: what runs is given the new limits at once, and the agent says so. */
  resize_seq: whole.default(0),
});
export type ServerSpec = z.output<typeof serverSpec>;
/** SHA-256 of a specification, the same whoever computes it: `inventory` tells it. */
export const specHash = (spec: ServerSpec): string =>
  createHash('sha256')
    .update(JSON.stringify(serverSpec.parse(spec)))
    .digest('hex');

/** `inventory`, agent to plane after `welcome`: what it holds. The answer is `Reconciled`. */
export const inventory = z.object({
  lease: whole,
  servers: z.record(id, z.object({ generation: whole, hash: z.string() })),
});
export interface Reconciled {
  specs: ServerSpec[];
  /** Servers that must not exist on this node: containers go, then folders. */
  deleted: string[];
}

/**
 * Arguments of each kind of operation. An agent has one handler for every entry (`agents/server/operation-handlers.ts`); it
 * answers `unknown_kind` to any other kind.
 */
export const operationInputs = {
  /** Ends the server's process at once. */
  kill: z.object({}),
  /** Sends all files of the server as one `tar.zst` by PUT to the path `put` of the control plane. */
  archive: z.object({ put: z.string().regex(/^\/\w[\w/]*(\?[\w=&.-]*)?$/) }),
} as const;
export type OperationKind = keyof typeof operationInputs;
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

/** What an agent reports for good, in its order. Types and their `data` stand in `agentEvents`. */
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
/** Most bytes of a crash report's lines, newest kept. An agent sends no more; the plane stores no more. */
export const max_last_lines_bytes = 32 * 1024;

/** Text of an agent, cut rather than refused: refusing the event would lose the state that it reports. */
const cutText = (max_characters: number) => z.string().transform((text) => text.slice(0, max_characters));

/** The newest of `lines` that fit into `max_bytes`. */
function newestWithin(lines: string[], max_bytes: number): string[] {
  let bytes = 0;
  const first = lines.findLastIndex((line) => {
    bytes += Buffer.byteLength(line);
    return bytes > max_bytes;
  });
  return lines.slice(first + 1);
}

/** The agent cut this event's data: it was too large for a message. */
const shortened = z.literal(true).optional();

/** Data of each type of event; an unknown type is stored and changes nothing. */
export const agentEvents = {
  /** `power` changed, seen under `generation`. */
  'server.power': z.object({
    power: z.enum(powers),
    generation: whole,
    /** container id and start time, when there is one: the epoch of its console */
    epoch: z.string().nullable(),
    started_at: instant.nullable(),
    exit_code: z.int().nullable(),
    out_of_memory: z.boolean(),
    /** Last lines of a process that crashed, oldest first, 50 at most. */
    last_lines: z
      .array(cutText(max_line_bytes))
      .max(50)
      .transform((lines) => newestWithin(lines, max_last_lines_bytes)),
    /** It crashed too often and stays down until a user starts it. */
    crash_loop: z.boolean(),
    /** Seconds from the start until players could join, sent once with `running`. */
    duration_s: z.number().nullable(),
    shortened,
  }),
  /** The image is there, the folder is there: the server could be started. */
  'server.installed': z.object({ generation: whole }),
  /**
   * A step could not be done. `step` is what was in the way (`port_taken`, `image_missing`, `limit_refused`, `disk_full`,
   * `disk_failed`, `name_taken`, `kind_unknown`, `docker_failed`), `error` the words of who said so. Mended, `server.installed` follows.
   */
  'server.broken': z.object({ step: cutText(50), error: cutText(2_000), generation: whole, shortened }),
  /**
   * What runs has the limits of its specification. `at_start`: something of them waits for its next start, because the
   * process was told it when it began (the size of its heap), or because it uses more memory than it may have then.
   */
  'server.resized': z.object({ generation: whole, at_start: z.boolean() }),
  /** Container and files of a deleted server were removed. */
  'server.deleted': z.object({}),
  /** Something a person should know and that changes nothing: `slow_start`, `stop_forced`, `oom_child`, `disk_full`. */
  'server.warning': z.object({ code: cutText(50), detail: cutText(2_000).default(''), shortened }),
  'operation.ended': z.object({
    op_id: z.uuid(),
    state: z.enum(['done', 'failed', 'interrupted', 'expired']),
    result: z.record(z.string(), z.unknown()),
    shortened,
  }),
} as const;
export type AgentEventType = keyof typeof agentEvents;

/** `heartbeat`, every `heartbeat_ms`; `ports_used` are those of its range that something else on the host holds. */
export const heartbeat = z.object({
  lease: whole,
  docker: z.enum(['up', 'down']),
  facts: z.object({
    agent_version: z.string(),
    docker: z.string().nullable(),
    /** How disk limits of new servers are kept: `image` by the kernel, `measured` by looking from time to time. */
    disk_mode: z.string(),
    kinds: z.array(z.string()),
    cpu_millis: z.int().positive(),
    ram_mb: z.int().positive(),
    disk_mb: z.int().positive(),
    disk_free_mb: whole,
    /** What its machine could still give away without swapping; agents of before do not tell. */
    ram_free_mb: whole.optional(),
    load: z.number(),
  }),
  ports_used: z.array(z.int()).max(4000),
});
export type Heartbeat = z.output<typeof heartbeat>;

/** `console.lines`, agent to plane, acknowledged when received; at most `max_unacked_batches` wait for that. */
export const consoleLines = z.object({
  lease: whole,
  server_id: id,
  epoch: z.string().max(200),
  /** Lines between `from` and the first of `lines` are lost for good. */
  from: z.int().positive(),
  lines: z.array(consoleLine).max(max_batch_lines),
});

/** `stats`, agent to plane, volatile: once a second while someone watches, else every 15 s. */
export const statsMessage = z.object({ lease: whole, servers: z.array(serverStats).max(1_000) });

/** Plane to agent. Every one but `watch` is acknowledged. */
export interface ToAgent {
  welcome(message: Welcome): void;
  'spec.put'(spec: ServerSpec, ack: (answer: { generation: number }) => void): void;
  'spec.delete'(message: { server_id: string }, ack: (answer: { ok: true }) => void): void;
  'operation.run'(operation: Operation, ack: (answer: OperationAnswer) => void): void;
  /** At most once: never sent again. */
  'console.write'(
    message: { server_id: string; text: string; lease: number },
    ack: (
      answer: { delivered: true } | { delivered: false; why: 'not_running' | 'stale' | 'failed' },
    ) => void,
  ): void;
  /** Which servers somebody looks at: their lines and stats are wanted at once, those of others are not. */
  watch(message: { server_ids: string[] }): void;
  /** Lines of the ring (and of what the engine kept) with `seq < before`, newest `limit` of them, oldest first. */
  'console.tail'(
    message: { server_id: string; before: number | null; limit: number },
    ack: (answer: { epoch: string | null; lines: ConsoleLine[]; first: number }) => void,
  ): void;
  /** Its new secret, to be kept instead of the one before; no answer means that it could not. */
  'secret.rotate'(message: { secret: string }, ack: (answer: { ok: true }) => void): void;
}

/** Agent to plane. A message under an older lease is answered `{ ok: false, error: 'lease_stale' }` and changes nothing. */
export interface FromAgent {
  inventory(message: z.input<typeof inventory>, ack: (answer: Ack<Reconciled>) => void): void;
  'events.push'(message: z.input<typeof eventBatch>, ack: (answer: Ack<{ seq: number }>) => void): void;
  heartbeat(message: z.input<typeof heartbeat>, ack: (answer: Ack) => void): void;
  'console.lines'(message: z.input<typeof consoleLines>, ack: (answer: Ack) => void): void;
  stats(message: { lease: number; servers: ServerStats[] }): void;
}
