import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type Docker from 'dockerode';
import { baseEntries } from '#agents/images/base-image.ts';
import { type Entry, tarOf, treeOf } from '#agents/images/tar.ts';
import { root } from '../install.mjs';

/** Programs other than Node that the Dockerfile's steps run. */
const programs = ['/bin/sh', '/bin/mkdir', '/bin/chown', '/bin/rm', '/usr/bin/env'];

/** Reads a response of the engine to its end; it always starts with 200 and reports errors as a line in the body. */
function finished(docker: Docker, answer: NodeJS.ReadableStream): Promise<string[]> {
  return new Promise((done, fail) => {
    const said: string[] = [];
    let bad: string | undefined;
    docker.modem.followProgress(
      answer,
      (error) => (error || bad ? fail(error ?? new Error(`${said.slice(-30).join('')}${bad}`)) : done(said)),
      (line: { error?: string; stream?: string }) => {
        bad ??= line.error;
        if (line.stream) said.push(line.stream);
      },
    );
  });
}

/** Libraries that packages with native code load beside Node's own; they are beside the C library. */
const libraries = ['librt.so.1', 'libresolv.so.2', 'libutil.so.1', 'libnss_dns.so.2'];

/** The CA certificates of this machine: npm's registry may be behind a private CA. */
const trusted = [process.env.NODE_EXTRA_CA_CERTS, '/etc/ssl/certs/ca-certificates.crt'].find(
  (path) => path && existsSync(path),
);

/** A base image for the Dockerfile without a registry: this machine's Node, npm, shell and their libraries. */
export async function importBase(docker: Docker, name: string): Promise<void> {
  const npm = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .find((path) => existsSync(path));
  if (!npm) throw new Error('npm is not in PATH');
  const folder = join(realpathSync(npm), '../..');
  const entries = await baseEntries(programs);
  const libc = entries.find(({ path }) => path.endsWith('/libc.so.6'))!.path;
  const tar = tarOf([
    ...entries,
    ...libraries
      .map((name) => ({ path: join(libc, '..', name), from: join('/', libc, '..', name) }))
      .filter(({ from }) => existsSync(from)),
    ...treeOf(folder, 'usr/local/lib/node_modules/npm', () => true),
    { path: 'usr/local/bin/npm', link: '../lib/node_modules/npm/bin/npm-cli.js' },
    ...(trusted ? [{ path: 'etc/trusted.crt', from: trusted }] : []),
  ]);
  const [repo, tag] = name.split(':');
  const changes = ['ENV PATH=/usr/local/bin:/usr/bin:/bin'];
  if (trusted) changes.push('ENV NODE_EXTRA_CA_CERTS=/etc/trusted.crt');
  await finished(
    docker,
    await docker.importImage(tar as unknown as NodeJS.ReadableStream, { repo, tag, changes }),
  );
}

/** Builds the Dockerfile of this working copy, with access to npm's registry. Fails with the end of its output. */
export async function buildProduct(docker: Docker, name: string, base: string): Promise<void> {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const context: Entry[] = String(list)
    .split('\0')
    .filter((path) => path && statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, from: join(root, path) }));
  const answer = await docker.buildImage(tarOf(context) as unknown as NodeJS.ReadableStream, {
    t: name,
    buildargs: { BASE: base },
    networkmode: 'host',
    forcerm: true,
  });
  await finished(docker, answer);
}
