import type { ServerSpec } from '#control/protocol/agent.ts';
import { isKind, type KindId } from '#db/servers/kinds/rules.ts';

/**
 * What a kind of game server is to the agent: one row a kind, one interface for all. `local` runs the image made from
 * `agents/local-kind`, `itzg` the one of production; both read the same environment. Source: hosting §1b.
 */
export interface Kind {
  id: KindId;
  /** Which image a server runs: one we build ourselves, or the name under which a registry has it. */
  image(spec: Pick<ServerSpec, 'game_version'>): ImageSource;
  env(spec: ServerSpec): Record<string, string>;
  /** The server's folder inside the container; everything it keeps lies there. */
  data_dir: string;
  /** TCP port inside the container. */
  port: number;
  /** The line that says players may come. */
  ready_pattern: RegExp;
  stop: {
    /** Typed into the console when we are attached, else the engine's `signal` is sent. */
    command: string;
    signal: 'SIGTERM';
    /** Seconds from there until it is killed. Longer than the image itself takes at most. */
    grace_s: number;
  };
  /** Around a backup: nothing is written between `off` and `on`; `flushed` answers `flush`. */
  save: { off: string; flush: string; on: string; flushed: RegExp };
  /** How players are counted and health is asked when the image does not tell: the game's own status ping. */
  status: 'minecraft';
  /** Seconds from start after which a person is told that it takes long; it is never killed for that. */
  slow_start_s: number;
  /**
   * Who the process is: `own` gives each server a uid of its own (and its folder to it), so that the process needs no
   * rights at all; none of our kinds starts as root.
   */
  user: 'own';
  /** Mounts of tmpfs beside `data_dir`, path -> options; the rest of the root is read-only. */
  tmpfs: Record<string, string>;
  /** Processes and threads it may have. */
  pids: number;
}

/** `base` is Node alone, for tests whose game server is a few lines. */
export type ImageSource = { build: 'base' | 'local' } | { pull: string };

const minecraft = {
  data_dir: '/data',
  port: 25565,
  ready_pattern: /\bDone \([\d.,]+s\)!/,
  save: { off: 'save-off', flush: 'save-all flush', on: 'save-on', flushed: /\bSaved the (game|world)\b/ },
  status: 'minecraft',
  user: 'own',
} as const;

/** Seconds that the image of production lets its game have after SIGTERM before it gives up itself. */
const stop_duration_s = 60;

/** The environment that both kinds read, by the names of itzg/minecraft-server. */
const common = (spec: ServerSpec): Record<string, string> => ({
  EULA: spec.terms_accepted ? 'TRUE' : 'FALSE',
  TYPE: (spec.loader ?? 'vanilla').toUpperCase(),
  VERSION: spec.game_version,
  MEMORY: `${heapMb(spec.ram_mb)}M`,
  // the file belongs to the owner's properties page: written once, never overwritten by the image
  OVERRIDE_SERVER_PROPERTIES: 'false',
  SERVER_PORT: String(minecraft.port),
});

/** Megabytes of heap in a container of `ram_mb`: a quarter is left for what is not heap. Source: hosting §1b. */
export const heapMb = (ram_mb: number): number => Math.floor(ram_mb * 0.75);

export const kinds: Record<KindId, Kind> = {
  local: {
    ...minecraft,
    id: 'local',
    image: () => ({ build: 'local' }),
    env: common,
    stop: { command: 'stop', signal: 'SIGTERM', grace_s: 30 },
    slow_start_s: 120,
    tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=64m,mode=1777' },
    pids: 128,
  },
  itzg: {
    ...minecraft,
    id: 'itzg',
    image: (spec) => ({ pull: `docker.io/itzg/minecraft-server:${javaTag(spec.game_version)}` }),
    env: (spec) => ({
      ...common(spec),
      // its uid is no account of the image, so it has no home there
      HOME: minecraft.data_dir,
      STOP_DURATION: String(stop_duration_s),
      ENABLE_AUTOPAUSE: 'false',
      ENABLE_AUTOSTOP: 'false',
      // commands go to the console; a second door with a password is one too many
      ENABLE_RCON: 'false',
      GUI: 'false',
    }),
    stop: { command: 'stop', signal: 'SIGTERM', grace_s: stop_duration_s + 15 },
    slow_start_s: 600,
    // Java unpacks native libraries there and loads them
    tmpfs: { '/tmp': 'rw,exec,nosuid,nodev,size=256m,mode=1777' },
    pids: 1024,
  },
};

/** The kind of a server's specification, or null when this agent does not know it. */
export const kindOf = ({ kind }: Pick<ServerSpec, 'kind'>): Kind | null =>
  isKind(kind) ? kinds[kind] : null;

/**
 * Which Java a version of the game runs on, as a tag of itzg/minecraft-server. What is older than 1.17 stays on Java 8,
 * which Forge needs there and everything else allows. Sources: hosting §1b; the image's page on Java versions.
 */
export function javaTag(game_version: string): string {
  const [era = 0, minor = 0, patch = 0] = game_version.split('.').map(Number);
  // since 2026 versions are named by year: 26.1
  if (era > 1) return 'java25';
  if (minor > 20 || (minor === 20 && patch >= 5)) return 'java21';
  return minor >= 17 ? 'java17' : 'java8';
}
