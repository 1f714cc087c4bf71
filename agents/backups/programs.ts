import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Command lines of the programs that backups are made with. */

const program = (name: string): string => join(import.meta.dirname, 'tar', name);
const node = process.execPath;
/** The level of `tar | zstd` that is compared with (hosting §1d). */
export const level = 3;

/** Whether the system has the program `name`. */
export const isInstalled = (name: string): boolean =>
  `${process.env.PATH ?? ''}:/usr/bin:/bin`.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Programs that compress and decompress: `zstd` uses all cores, Node one. */
export interface Codec {
  name: 'zstd' | 'node';
  compress: string[];
  decompress: string[];
}
export const codecOf = (name: Codec['name']): Codec =>
  name === 'zstd'
    ? { name, compress: ['zstd', '-q', '-T0', `-${level}`, '-c'], decompress: ['zstd', '-q', '-d', '-c'] }
    : {
        name,
        compress: [node, '--no-warnings', program('zstd.ts'), String(level)],
        decompress: [node, '--no-warnings', program('zstd.ts'), '-d'],
      };

/** `work` is a folder for files of a moment. */
export const pack = (folder: string, work: string): string[] => [
  ...[node, '--no-warnings', program('pack.ts'), folder, join(work, randomUUID())],
];

/** Stores what the program `through` makes of a stream as the file `path` of this machine, and the way back. */
export const store = (path: string, max_bytes: number, through: string[]): string[] => [
  ...[node, '--no-warnings', program('store.ts'), path, String(max_bytes), ...through],
];
export const load = (path: string, sha256: string | null): string[] => [
  ...[node, '--no-warnings', program('load.ts'), path, sha256 ?? ''],
];

/** Where a backup is unpacked; null compares its sums without writing. */
export interface UnpackInto {
  folder: string;
  uid: number;
  /** Most bytes of content. */
  limit: number;
  /** Path of the folder as the server sees it. */
  inside: string;
}
export const unpack = (into: UnpackInto | null, mode: 'restore' | 'verify', work: string): string[] => [
  ...[node, '--no-warnings', program('unpack.ts'), join(work, randomUUID()), into ? mode : 'check'],
  ...(into ? [into.folder, String(into.uid), String(into.limit), into.inside] : []),
];
