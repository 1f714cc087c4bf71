import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Entry } from './tar.ts';

/**
 * The first layer of our images, built from this machine without a registry: the running Node with its libraries, and
 * the few files a process expects. Source: hosting §1a.
 */
export async function baseEntries(programs: readonly string[] = []): Promise<Entry[]> {
  const node = process.execPath;
  const files = new Map<string, string>([['usr/local/bin/node', node]]);
  for (const program of programs) files.set(program.slice(1), program);
  for (const program of [node, ...programs])
    for (const library of await librariesOf(program)) files.set(library.slice(1), library);
  const folders = new Set<string>();
  for (const path of files.keys())
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at));
  return [
    ...[...folders, 'etc', 'app'].sort().map((path): Entry => ({ path, folder: true })),
    { path: 'tmp', folder: true, mode: 0o1777 },
    { path: 'data', folder: true, mode: 0o777 },
    { path: 'etc/passwd', text: 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/data:/bin/sh\n' },
    { path: 'etc/group', text: 'root:x:0:\nnode:x:1000:\n' },
    { path: 'etc/nsswitch.conf', text: 'hosts: files dns\n' },
    ...[...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, from]): Entry => ({ path, from, mode: 0o755 })),
  ];
}

/** Absolute paths of the shared libraries of a program, its loader included, as it names them. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [program], { env: { ...process.env, LC_ALL: 'C' } });
  const missing = /^[ \t]*(\S+) => not found/m.exec(stdout);
  if (missing) throw new Error(`${program} needs ${missing[1]}, which this machine does not have`);
  return [...stdout.matchAll(/(?:=> )?(\/\S{1,4096}) \(0x/g)].map((match) => match[1]!);
}
