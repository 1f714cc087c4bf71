import { createHash } from 'node:crypto';
import { z } from 'zod';
import { javaVersions } from '#db/hosting/server-kinds/java/rules.ts';
import { max_extra_ports } from '#db/hosting/servers/network/rules.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const whole = z.int().min(0);

const serverSleep = z.object({ after_minutes: z.number().positive().max(1_440), motd: z.string().max(400) });

/** Desired state of one server: the whole document, under one generation. */
export const serverSpec = z.object({
  server_id: id,
  generation: whole,
  name: z.string(),
  kind: z.string(),
  game_version: z.string(),
  loader: z.string().nullable(),
  /** Version of the loader, or number of its build; null is the newest that the image finds. */
  loader_version: z.string().max(100).nullable().default(null),
  /** Version of Java; null is the one for its version of the game. An image without Java ignores it. */
  java: z.literal(javaVersions).nullable().default(null),
  /** Flags for Java as a user chose them, from the allow list. */
  jvm_flags: z.array(z.string().max(200)).max(30).default([]),
  /** Heap in megabytes; null leaves a quarter of the memory to everything else. */
  heap_mb: z.int().positive().nullable().default(null),
  ram_mb: z.int().positive(),
  swap_mb: whole,
  cpu_millis: z.int().positive(),
  disk_mb: z.int().positive(),
  port: z.int().min(1).max(65535),
  /** More ports of the node that lead to the same ports of the container, TCP and UDP; since version 6. */
  extra_ports: z.array(z.int().min(1).max(65535)).max(max_extra_ports).default([]),
  terms_accepted: z.boolean(),
  power: z.enum(['on', 'off']),
  /** Name of the user who started, stopped or restarted it last; null when nobody did. For its console. */
  power_by: z.string().max(100).nullable().default(null),
  /**
   * Rises with every start and restart that a user requests. A running server is restarted; one that stays down
   * (crash loop, stopped from its own console, killed) starts again. Turning power off and on starts it too.
   */
  restart_seq: whole,
  /** Suspended servers are stopped and stay stopped; their files remain. */
  suspended: z.boolean(),
  /** Rises with every new size: a running server gets its new limits at once, and the agent reports it. */
  resize_seq: whole.default(0),
  /** It stops after so many minutes without a player, and starts when one joins; null: never. `motd` is what pings show then. */
  sleep: serverSleep.nullable().default(null),
});
export type ServerSpec = z.output<typeof serverSpec>;
/** As a control plane sends it: the agent adds what is left out. */
export type SentSpec = z.input<typeof serverSpec>;
/** SHA-256 of a specification, the same on both sides: part of `inventory`. */
export const specHash = (spec: SentSpec): string =>
  createHash('sha256')
    .update(JSON.stringify(serverSpec.parse(spec)))
    .digest('hex');
