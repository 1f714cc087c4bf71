import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

/** So large that a backup takes long enough to be killed in its middle. */
const large_files = 4;
const large_bytes = 24 * 1024 * 1024;
const small_files = 40;

/** The folder of Cairn itself, which is not part of a world. */
const reserved = '.cairn';

/**
 * Replaces all files of a server by those of another generation. Every file names it, and folders and files of one
 * generation have names that are others in the next, so a mix of two is never one of them.
 */
export function writeWorld(folder: string, generation: number, file_bytes = large_bytes): void {
  for (const name of readdirSync(folder))
    if (name !== reserved) rmSync(join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'world/region'), { recursive: true });
  const swapped = join(folder, generation % 2 === 0 ? 'even' : 'odd');
  mkdirSync(swapped);
  writeFileSync(
    join(folder, generation % 2 === 0 ? 'odd' : 'even'),
    'a file where the other one has a folder',
  );
  for (let number = 0; number < large_files; number++)
    writeFileSync(join(folder, `world/region/r.${number}.mca`), randomBytes(file_bytes));
  for (let number = 0; number < small_files; number++)
    writeFileSync(join(swapped, `${number}.json`), JSON.stringify({ generation, number }));
  writeFileSync(join(folder, 'level.dat'), `generation ${generation}`);
}

/** One sum of all names, links and bytes below a folder, without the folder of Cairn itself. */
export function sumOfWorld(folder: string): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const here = join(path, name);
      if (here === reserved) continue;
      const about = lstatSync(join(folder, here));
      hash.update(`${here}\n${about.mode & 0o170000}\n${about.size * Number(about.isFile())}\n`);
      if (about.isDirectory()) add(here);
      else if (about.isSymbolicLink()) hash.update(readlinkSync(join(folder, here)));
      else hash.update(readFileSync(join(folder, here)));
    }
  };
  add('');
  return hash.digest('hex');
}

/** Files that Cairn itself has in the folder of a server; folders without a file are no remains of anything. */
export function filesOfCairn(folder: string): string[] {
  const own = join(folder, reserved);
  if (!existsSync(own)) return [];
  return readdirSync(own, { recursive: true, withFileTypes: true })
    .filter((file) => !file.isDirectory())
    .map((file) => join(relative(own, file.parentPath), file.name));
}
