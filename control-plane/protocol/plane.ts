import { z } from 'zod';
import type { Versions } from '#db/hosting/planes/rules.ts';
import type { ClientEvents, RequestMap } from './ack.ts';
import { max_batch_lines } from './agent.ts';
import { consoleLine, knownCommand, serverStats } from './console.ts';
import { type FileQuery, fileQueries } from './files.ts';

/**
 * What control planes of one installation send each other over Socket.IO, namespace /plane: a plane whose panels watch a
 * server asks the plane that has its agent. Source: hosting §5.2.
 */

/** Versions of this protocol that this code speaks, oldest and newest. Planes without a common one refuse each other. */
export const linkVersions: Versions = { min: 1, max: 1 };

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const planeId = z.string().max(50);
const version = z.int().min(0);

/** `auth` of the handshake. `proof` is sealed with the key of the installation: only its planes can make one. */
export const linkHandshake = z.object({
  from: planeId,
  /** The plane that is meant: another one may listen at its address by now. */
  to: planeId,
  protocol: z.tuple([version, version]),
  proof: z.string().max(500),
});

/** What is sealed in a proof; `at` is milliseconds since 1970, by the clock of the database. */
export const linkProof = z.object({ from: planeId, to: planeId, at: z.number() });
export const proof_purpose = 'plane-link';
export const proof_ttl_ms = 60_000;

/** Of the agent of a node, under the lease that the asking plane knows. */
const ofAgent = { node_id: id, lease: version };
const ofServer = { ...ofAgent, server_id: id };

/**
 * Every request to the plane that has an agent. Refuses `agent_elsewhere` when it has not, or under another lease: nothing
 * was done then, and the asking plane looks again.
 */
export const planeRequests = {
  /** Whether the plane renews its membership in Postgres, and so can take over from one that cannot. */
  'plane.status': { input: z.object({}), output: z.strictObject({ renewing: z.boolean() }), limit: 'calls' },
  /** The asking plane has joined, and is reached at `address`: the other one knows it before its next heartbeat. */
  'plane.joined': {
    input: z.object({ address: z.string().max(500) }),
    output: z.strictObject({}),
    limit: 'calls',
  },
  /** The servers of a node whose lines and stats the asking plane wants from now on; replaces those before. */
  'agent.watch': {
    input: z.object({ ...ofAgent, server_ids: z.array(id).max(10_000) }),
    /** Whether its agent is ready; if not, the event `agent` follows. */
    output: z.strictObject({ connected: z.boolean() }),
    limit: 'calls',
  },
  'agent.tail': {
    input: z.object({ ...ofServer, before: z.int().nullable(), limit: z.int().min(1).max(2_000) }),
    output: z.strictObject({
      tail: z
        .strictObject({ epoch: z.string().nullable(), lines: z.array(consoleLine), first: z.int() })
        .nullable(),
    }),
    limit: 'calls',
  },
  /** At most once: never sent again after it may have arrived. */
  'agent.command': {
    input: z.object({ ...ofServer, text: z.string().max(10_000) }),
    output: z.strictObject({
      delivered: z.boolean(),
      why: z.enum(['not_running', 'stale', 'failed', 'no_answer']).optional(),
    }),
    limit: 'calls',
  },
  'agent.commands': {
    input: z.object(ofServer),
    output: z.strictObject({
      known: z.strictObject({ epoch: z.string().nullable(), commands: z.array(knownCommand) }).nullable(),
    }),
    limit: 'calls',
  },
  /** A query of files (`files.ts`): it may be repeated. */
  'agent.files': {
    input: z.object({
      ...ofServer,
      query: z.enum(Object.keys(fileQueries) as [FileQuery]),
      args: z.record(z.string(), z.unknown()),
      timeout_ms: z.int().positive().max(3_600_000),
    }),
    output: z.strictObject({
      answer: z
        .union([
          z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) }),
          z.object({
            ok: z.literal(false),
            error: z.string(),
            data: z.record(z.string(), z.union([z.string(), z.number()])),
          }),
        ])
        .nullable(),
    }),
    limit: 'calls',
  },
  /** Stats of the last minute, oldest first, of each server that has some. */
  'agent.stats': {
    input: z.object({ ...ofAgent, server_ids: z.array(id).max(1_000) }),
    output: z.strictObject({ stats: z.record(z.string(), z.array(serverStats)) }),
    limit: 'calls',
  },
} as const satisfies RequestMap;

export type PlaneRequests = ClientEvents<typeof planeRequests>;

/** What the plane that has an agent sends to those that watch; anything else is dropped. */
export const planeEvents = {
  /** The agent of a watched node has connected or is gone. */
  agent: z.object({ ...ofAgent, connected: z.boolean() }),
  /** Lines of a console as the agent sent them, under its lease. Without lines: some were left out. */
  lines: z.object({
    ...ofServer,
    epoch: z.string().max(200),
    from: z.int().positive(),
    lines: z.array(consoleLine).max(max_batch_lines),
  }),
  stats: z.object({ ...ofAgent, stats: serverStats }),
} as const;
export type PlaneEventName = keyof typeof planeEvents;
export type PlaneEvent<E extends PlaneEventName> = z.output<(typeof planeEvents)[E]>;

/** To the plane that watches. */
export type PlaneEvents = {
  /** The first message: the version that both speak. */
  welcome(message: { protocol: number }): void;
} & { [E in PlaneEventName]: (message: PlaneEvent<E>) => void };
