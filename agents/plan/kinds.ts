import type { ServerSpec } from '#control/protocol/agent.ts';
import { serverLoader } from '#db/hosting/server-kinds/data/loaders.ts';
import { defaultJava } from '#db/hosting/server-kinds/java/rules.ts';
import { isKind, type KindId } from '#db/hosting/server-kinds/rules.ts';
import { game_port } from '#db/hosting/servers/network/rules.ts';
import { defaultHeapMb } from '#db/hosting/servers/startup/rules.ts';

/**
 * A kind of game server as the agent sees it: one entry for each kind, one interface for all. `local` runs the image
 * built from `agents/local-kind`, `itzg` the image of production; both read the same environment, of which only
 * the demo server's says what a loader loads. Source: hosting §1b.
 */
export interface Kind {
  id: KindId;
  /** Image of a server: one that is built here, or its name in a registry. */
  image(spec: Pick<ServerSpec, 'game_version' | 'java'>): ImageSource;
  env(spec: ServerSpec): Record<string, string>;
  /** Folder inside the container that holds all files of the server. */
  data_dir: string;
  /** TCP port inside the container. */
  port: number;
  /** Matches the line that says players may join. */
  ready_pattern: RegExp;
  stop: {
    /** Written to the console when it is attached; otherwise `signal` is sent. */
    command: string;
    signal: 'SIGTERM';
    /** Seconds until it is killed after that. Longer than the image itself takes at most. */
    grace_s: number;
  };
  /** Command that makes it list its commands, and one that tells more of their arguments where that exists. */
  help: { command: string; detailed: string };
  /** Command that makes it tell how long its ticks take; null where there is none. */
  tick(spec: Pick<ServerSpec, 'game_version'>): string | null;
  /** Around a backup: nothing is written between `off` and `on`; a line that matches `flushed` answers `flush`. */
  save: { off: string; flush: string; on: string; flushed: RegExp };
  /** How players are counted and health is checked when the image does not do it: the status ping of the game. */
  status: 'minecraft';
  /** Seconds after the start until a slow start is reported. A slow server is never killed. */
  slow_start_s: number;
  /**
   * User of the process: `own` gives each server a user id of its own, which owns its files, so that the process
   * needs no capabilities. No kind starts as root.
   */
  user: 'own';
  /** tmpfs mounts beside `data_dir`, path -> options; the rest of the root is read-only. */
  tmpfs: Record<string, string>;
  /** Maximum number of processes and threads. */
  pids: number;
}

/** `base` contains only Node: for tests whose game server is a few lines. */
export type ImageSource = { build: 'base' | 'local' } | { pull: string };

const minecraft = {
  data_dir: '/data',
  port: game_port,
  ready_pattern: /\bDone \([\d.,]+s\)!/,
  // what Bukkit lists has no arguments; it keeps the help of the game under its own name
  help: { command: 'help', detailed: 'minecraft:help' },
  save: { off: 'save-off', flush: 'save-all flush', on: 'save-on', flushed: /\bSaved the (game|world)\b/ },
  status: 'minecraft',
  user: 'own',
} as const;

/** Seconds the image of production waits for its game after SIGTERM. */
const stop_duration_s = 60;

/** Environment of both kinds, by the names of itzg/minecraft-server. */
const common = (spec: ServerSpec): Record<string, string> => ({
  EULA: spec.terms_accepted ? 'TRUE' : 'FALSE',
  TYPE: (spec.loader ?? 'vanilla').toUpperCase(),
  VERSION: spec.game_version,
  ...loaderVersion(spec),
  // a heap that was chosen for more memory than it has now would only get it killed
  MEMORY: `${Math.min(spec.heap_mb ?? defaultHeapMb(spec.ram_mb), spec.ram_mb)}M`,
  ...javaFlags(spec),
  // the file belongs to the owner's properties page: written once, never overwritten by the image
  OVERRIDE_SERVER_PROPERTIES: 'false',
  SERVER_PORT: String(minecraft.port),
});

/** How the variable ends that has the version of a loader: `PAPER_BUILD`, `FABRIC_LOADER_VERSION`, `FORGE_VERSION`. */
const version_variables = { builds: 'BUILD', own: 'LOADER_VERSION', for_game: 'VERSION' } as const;

/** The variable with the version of the loader; the image takes the newest one without it. Source: hosting §1b. */
function loaderVersion({ loader, loader_version }: ServerSpec): Record<string, string> {
  const versions = serverLoader(loader)?.versions;
  if (!loader || !loader_version || !versions) return {};
  return { [`${loader.toUpperCase()}_${version_variables[versions]}`]: loader_version };
}

/** What the demo server is to load: it knows no loader itself. */
function contentVariable({ loader }: ServerSpec): Record<string, string> {
  const content = serverLoader(loader)?.content;
  return content ? { LOADER_CONTENT: content } : {};
}

/** One word that begins with a dash: the image splits its variables at spaces. */
const flag_pattern = /^-[\x21-\x7e]+$/;

function javaFlags({ jvm_flags }: ServerSpec): Record<string, string> {
  const flags = jvm_flags.filter((flag) => flag_pattern.test(flag));
  const advanced = flags.filter((flag) => flag.startsWith('-XX:'));
  const others = flags.filter((flag) => !flag.startsWith('-XX:'));
  return {
    ...(others.length > 0 ? { JVM_OPTS: others.join(' ') } : {}),
    ...(advanced.length > 0 ? { JVM_XX_OPTS: advanced.join(' ') } : {}),
  };
}

const has_tick_query = /^(?:1\.20\.[3-9]|1\.2[1-9]|2[6-9]|[3-9]\d)(?:\D|$)/;

export const kinds: Record<KindId, Kind> = {
  local: {
    ...minecraft,
    id: 'local',
    tick: () => 'tick query',
    image: () => ({ build: 'local' }),
    env: (spec) => ({ ...common(spec), ...contentVariable(spec) }),
    stop: { command: 'stop', signal: 'SIGTERM', grace_s: 30 },
    slow_start_s: 120,
    tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=64m,mode=1777' },
    pids: 128,
  },
  itzg: {
    ...minecraft,
    id: 'itzg',
    // the game has the command since 1.20.3
    tick: ({ game_version }) => (has_tick_query.test(game_version) ? 'tick query' : null),
    image: ({ game_version, java }) => ({
      pull: `docker.io/itzg/minecraft-server:java${java ?? defaultJava(game_version)}`,
    }),
    env: (spec) => ({
      ...common(spec),
      // its user id has no account in the image, hence no home folder
      HOME: minecraft.data_dir,
      STOP_DURATION: String(stop_duration_s),
      ENABLE_AUTOPAUSE: 'false',
      ENABLE_AUTOSTOP: 'false',
      // commands go to the console; RCON would be a second way in, with a password
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

/** The kind of a specification, or null when this agent does not know it. */
export const kindOf = ({ kind }: Pick<ServerSpec, 'kind'>): Kind | null =>
  isKind(kind) ? kinds[kind] : null;
