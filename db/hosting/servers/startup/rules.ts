import type { RefusalCode } from '../../../platform/errors.ts';
import { defaultJava, type JavaVersion, javaFor } from '../../server-kinds/java/rules.ts';

/** Rules for how the process of a server is started. Source: hosting §1b. */

/** What an owner may choose; null and an empty list are the defaults. */
export interface Startup {
  java: JavaVersion | null;
  heap_mb: number | null;
  jvm_flags: readonly string[];
}

/** Most flags, and the longest one. */
export const max_flags = 30;
export const flag_length = 100;

/** Least memory of the game itself, and what has to be left of the server's for everything else. */
export const min_heap_mb = 512;
const max_heap_part = 0.9;

/** Memory of the game in megabytes when its owner chose none: a quarter is left for everything else. */
export const defaultHeapMb = (ram_mb: number): number => Math.floor(ram_mb * 0.75);
/** Most memory of the game in megabytes. */
export const maxHeapMb = (ram_mb: number): number => Math.floor(ram_mb * max_heap_part);

/**
 * Flags that tune memory and collection of garbage; nothing that loads code, opens a port, writes files or reads other files.
 * `<n>` stands for a whole number, with k, m or g where it is an amount.
 */
export const allowedFlags = [
  '-XX:+UseG1GC',
  '-XX:+UseZGC',
  '-XX:+ZGenerational',
  '-XX:+UseShenandoahGC',
  '-XX:+UseParallelGC',
  '-XX:+UseSerialGC',
  '-XX:+ParallelRefProcEnabled',
  '-XX:+UnlockExperimentalVMOptions',
  '-XX:+DisableExplicitGC',
  '-XX:+AlwaysPreTouch',
  '-XX:+PerfDisableSharedMem',
  '-XX:+UseStringDeduplication',
  '-XX:+UseCompactObjectHeaders',
  '-XX:+OptimizeStringConcat',
  '-XX:+UseNUMA',
  '-XX:-UseNUMA',
  '-XX:MaxGCPauseMillis=<n>',
  '-XX:G1NewSizePercent=<n>',
  '-XX:G1MaxNewSizePercent=<n>',
  '-XX:G1HeapRegionSize=<n>',
  '-XX:G1ReservePercent=<n>',
  '-XX:G1HeapWastePercent=<n>',
  '-XX:G1MixedGCCountTarget=<n>',
  '-XX:G1MixedGCLiveThresholdPercent=<n>',
  '-XX:G1RSetUpdatingPauseTimePercent=<n>',
  '-XX:InitiatingHeapOccupancyPercent=<n>',
  '-XX:SurvivorRatio=<n>',
  '-XX:MaxTenuringThreshold=<n>',
  '-XX:ConcGCThreads=<n>',
  '-XX:ParallelGCThreads=<n>',
  '-XX:ReservedCodeCacheSize=<n>',
  '-XX:MaxMetaspaceSize=<n>',
  '-XX:MaxDirectMemorySize=<n>',
  '-Xss<n>',
  '-Dfml.queryResult=confirm',
  '-Dfml.readTimeout=<n>',
  '-Dlog4j2.formatMsgNoLookups=true',
  '-Dpaper.playerconnection.keepalive=<n>',
] as const;

const patterns = allowedFlags.map(
  (flag) => new RegExp(`^${flag.replace(/[+.]/g, '\\$&').replace('<n>', '\\d{1,9}[kKmMgG]?')}$`),
);

/** Whether a flag is in the list of allowed ones. */
export const isAllowedFlag = (flag: string): boolean => patterns.some((pattern) => pattern.test(flag));

/** Flags of a line of text, without empty ones. */
export const flagsOf = (line: string): string[] => line.split(/\s+/).filter((flag) => flag !== '');

/** Why a server cannot start like this, or null, with the data of the refusal. */
export function whyNotStartup(
  server: { game_version: string; ram_mb: number },
  { java, heap_mb, jvm_flags }: Startup,
): { code: RefusalCode; data: Record<string, string | number> } | null {
  const fitting = javaFor(server.game_version);
  if (java !== null && !fitting.includes(java))
    return {
      code: 'java_not_fitting',
      data: { java, game_version: server.game_version, allowed: fitting.join(', ') },
    };
  const most = maxHeapMb(server.ram_mb);
  if (heap_mb !== null && (!Number.isInteger(heap_mb) || heap_mb < min_heap_mb || heap_mb > most))
    return { code: 'heap_out_of_range', data: { least: min_heap_mb, most } };
  if (jvm_flags.length > max_flags) return { code: 'jvm_flags_too_many', data: { most: max_flags } };
  const refused = jvm_flags.find((flag) => flag.length > flag_length || !isAllowedFlag(flag));
  return refused === undefined
    ? null
    : { code: 'jvm_flag_not_allowed', data: { flag: refused.slice(0, flag_length) } };
}

/** The command line that starts the game, for people to read: the file is that of the loader. */
export function startCommand(
  server: { game_version: string; ram_mb: number; loader: string | null },
  { java, heap_mb, jvm_flags }: Startup,
): string {
  const memory = heap_mb ?? defaultHeapMb(server.ram_mb);
  const file = server.loader === null ? 'server.jar' : `${server.loader}-server.jar`;
  const program = `java-${java ?? defaultJava(server.game_version)}`;
  return [program, `-Xms${memory}M`, `-Xmx${memory}M`, ...jvm_flags, '-jar', file, 'nogui'].join(' ');
}
