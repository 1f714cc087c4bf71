import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { KnownGameVersion } from '#db/catalogue/manifests/manifest.ts';
import { type ManifestReading, readManifests } from '#db/catalogue/manifests/read-manifests.ts';
import { Refused } from '#db/platform/errors.ts';
import {
  archives,
  extensionOf,
  type FileType,
  fileExtensions,
  fileTypes,
  usualFileType,
  whyNotName,
} from '#db/platform/files/rules.ts';
import { withArchive } from '#db/platform/files/zip.ts';
import type { ByteSource } from '#db/platform/storage/storage.ts';
import { root } from '../install.mjs';
import { UserError } from '../user-error.ts';

/** A file of the version on this machine. */
export interface LocalFile {
  path: string;
  filename: string;
  size: number;
  sha512: string;
  file_type: FileType | null;
}

/** Paths are below the folder of the caller; npm and `bin/cairn.mjs` start commands in that of Cairn. */
const callersFolder = (env: NodeJS.ProcessEnv): string =>
  (env.PWD && env.PWD !== root ? env.PWD : env.INIT_CWD) ?? process.cwd();

export const pathOf = (path: string): string => resolve(callersFolder(process.env), path);

/**
 * Opens and hashes the files, without loading them. Types by `types` (`name=type`), else by the usual endings. Refuses
 * `file_name_invalid` and `file_type_unsupported`; the wrong use of a path or type has exit code 2.
 */
export async function localFiles(paths: readonly string[], types: readonly string[]): Promise<LocalFile[]> {
  const given = new Map(types.map(typeOf));
  const files: LocalFile[] = [];
  for (const [index, path] of paths.map(pathOf).entries()) {
    const filename = basename(path);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw new UserError(`${path} is not a file.`, 2);
    const code = whyNotName(filename);
    if (code) throw new Refused(code, { filename, extensions: Object.keys(fileExtensions).join(', ') });
    const file_type = given.get(filename) ?? (index === 0 ? null : usualFileType(filename));
    files.push({ path, filename, size: found.size, sha512: await hashOf(path), file_type });
    given.delete(filename);
  }
  const [unknown] = given.keys();
  if (unknown !== undefined) throw new UserError(`--file-type: there is no file ${unknown}.`, 2);
  return files;
}

function typeOf(text: string): [filename: string, type: FileType] {
  const at = text.lastIndexOf('=');
  const type = fileTypes.find((one) => one === text.slice(at + 1));
  if (at < 1 || !type)
    throw new UserError(`--file-type ${text}: write NAME=TYPE, TYPE is one of ${fileTypes.join(', ')}.`, 2);
  return [text.slice(0, at), type];
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of chunksOf(path)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The bytes of a file, at most `size` of them. Each piece is in the same memory as the one before: be done with it before
 * asking for the next.
 */
export async function* chunksOf(path: string, size = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(1024 * 1024);
  const handle = await open(path, 'r');
  try {
    for (let left = size; left > 0; ) {
      const { bytesRead } = await handle.read(bytes, 0, Math.min(bytes.length, left));
      if (bytesRead === 0) return;
      yield bytes.subarray(0, bytesRead);
      left -= bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/**
 * What the manifests of a file say, after the checks of its archive that the server makes too; null for files that are no
 * archives. Refuses what `withArchive` refuses.
 */
export async function manifestsOf(
  { path, filename }: LocalFile,
  known: readonly KnownGameVersion[],
): Promise<ManifestReading | null> {
  if (!archives.includes(extensionOf(filename))) return null;
  return await withArchive({ filename, content: sourceAt(path) }, (archive) => readManifests(archive, known));
}

const sourceAt = (path: string): ByteSource => ({
  open: async () => {
    const handle = await open(path, 'r');
    const { size } = await handle.stat();
    return {
      size,
      readAt: async (position, length) => {
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, position);
        return bytes.subarray(0, bytesRead);
      },
      close: () => handle.close(),
    };
  },
});
