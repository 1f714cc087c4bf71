import { z } from 'zod';
import { serverRights } from './rights/rules.ts';
import { lifecycles, powers, setupSteps } from './rules.ts';

/** A process that exited unexpectedly, as reported by its agent. `last_lines`: oldest first, up to 50. */
const crashView = z.strictObject({
  exit_code: z.int().nullable(),
  out_of_memory: z.boolean(),
  last_lines: z.array(z.string()),
  /** It crashed too often and stays stopped until a user starts it. */
  held: z.boolean(),
  /** When it is started again; null when it is not, and when its node does not say. */
  restart_at: z.string().nullable(),
});
export type Crash = z.output<typeof crashView>;

/** What an agent warned of, without changing anything: the newest of each code, newest first. */
const warningView = z.strictObject({ code: z.string(), detail: z.string(), at: z.string() });
export type ServerWarning = z.output<typeof warningView>;

/** A server as its owner sees it, in panels and API clients. */
export const serverView = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  game_version: z.string(),
  loader: z.string().nullable(),
  /** null: the newest one. */
  loader_version: z.string().nullable(),
  plan: z.string(),
  region: z.string(),
  ram_mb: z.int(),
  cpu_millis: z.int(),
  disk_mb: z.int(),
  state: z.enum([...powers, 'installing', 'unknown']),
  lifecycle: z.enum(lifecycles),
  /** Why it is suspended, broken or waiting; `{}` if there is no reason. */
  lifecycle_data: z.object({
    reason: z.string().optional(),
    /** When its files are deleted: the end of its grace period. */
    until: z.string().optional(),
    step: z.string().optional(),
    error: z.string().optional(),
    generation: z.number().optional(),
  }),
  power_wanted: z.enum(['on', 'off']),
  /** It is being moved to another node: it is off until that has ended. */
  moving: z.boolean(),
  /** The step from its order to its first start; null when that is over. */
  setup: z.enum(setupSteps).nullable(),
  /** The address players type; null before it is on a node. */
  address: z.strictObject({ host: z.string(), port: z.int() }).nullable(),
  /** Its name below SERVERS_DOMAIN; null while it has none. */
  subdomain: z.string().nullable(),
  /** Changes with its picture, which `/servers/manage/ID/icon` has; null while none is known. */
  icon: z.string().nullable(),
  /** A domain of its owner that leads players to it, checked; in punycode. */
  domain: z.string().nullable(),
  /** Name of the node, null before it is on one. */
  node: z.string().nullable(),
  /** Container and start time that identify the process whose console is shown. */
  epoch: z.string().nullable(),
  started_at: z.string().nullable(),
  /** When its process ended last; null while there is one, and before its first start. */
  ended_at: z.string().nullable(),
  /** It is stopped because nobody plays, and starts when somebody joins. */
  sleeping: z.boolean(),
  /** Its size or its content changed since it started: part of that applies at its next start. */
  restart_due: z.boolean(),
  crash: crashView.nullable(),
  /** Of the last day. */
  warnings: z.array(warningView),
  /** The last heartbeat of its node. */
  last_seen: z.string().nullable(),
  created: z.string(),
  generation: z.int(),
});
export type ServerView = z.output<typeof serverView>;

/** What the user may do on a server: `ServerAccess` of the rules. */
const rights = z.array(z.enum(serverRights));
export const serverAccess = z.strictObject({ owner: z.boolean(), rights });

/** A server of somebody else in a user's list: the name of its owner, and what the user may do. */
export const sharedServer = z.strictObject({ owner: z.string(), rights });
export type SharedServer = z.output<typeof sharedServer>;
