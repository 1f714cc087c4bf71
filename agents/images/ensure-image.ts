import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import type { ImageSource } from '../plan/kinds.ts';
import { baseEntries } from './base-image.ts';
import { ensurePackages, localCommand, localEntries, localInputs } from './local-image.ts';
import { acquireMachineLock } from './machine-lock.ts';
import { type Entry, fingerprint, tarOf } from './tar.ts';

/** An image that can neither be found, built nor pulled; the message is the reason in one line. */
export class ImageMissing extends Error {
  readonly code = 'image_missing';
}

type LogLine = (line: string) => void;

/**
 * Gives the name of an image that Docker has; builds or pulls it first when it is missing, with progress in `say`.
 * Images we build are tagged by the hash of their content; of several processes one builds. Refuses with
 * `ImageMissing`. Source: hosting §1a.
 */
export async function ensureImage(
  docker: Docker,
  wanted: ImageSource,
  say: LogLine = () => {},
): Promise<string> {
  try {
    return await ('pull' in wanted
      ? pullImage(docker, wanted.pull, say)
      : buildImage(docker, wanted.build, say));
  } catch (error) {
    const name = 'pull' in wanted ? wanted.pull : `${wanted.build}`;
    throw new ImageMissing(`The image ${name} is not available: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function pullImage(docker: Docker, name: string, say: LogLine): Promise<string> {
  if (await hasImage(docker, name)) return name;
  say(`Pulling the image ${name}`);
  await streamFinished(docker, await docker.pull(name), say);
  return name;
}

async function buildImage(docker: Docker, what: 'base' | 'local', say: LogLine): Promise<string> {
  const base = await baseEntries();
  const tag = hashOf(base, what === 'local' ? localInputs() : []);
  const name = `cairn-${what}:${tag}`;
  if (await hasImage(docker, name)) return name;
  const release = await acquireMachineLock(name, () =>
    say(`Waiting for another process that builds the image ${name}`),
  );
  try {
    if (await hasImage(docker, name)) return name;
    if (what === 'local') await ensurePackages(say);
    say(`Building the image ${name}`);
    const more = what === 'local' ? localEntries() : [];
    const changes = [
      'ENV PATH=/usr/local/bin:/usr/bin:/bin',
      'ENV NODE_ENV=production',
      'USER 1000:1000',
      'WORKDIR /data',
      `LABEL cairn.image=${what}`,
      ...(what === 'local' ? ['EXPOSE 25565', `CMD ${JSON.stringify(localCommand)}`] : []),
    ];
    // Docker's client pipes it; the stream types differ only in members that are not used
    const tar = tarOf([...base, ...more]) as unknown as NodeJS.ReadableStream;
    const answer = await docker.importImage(tar, { repo: `cairn-${what}`, tag, changes });
    await streamFinished(docker, answer, () => {});
    say(`The image ${name} is ready`);
    // images of older code that no container uses; another checkout builds its own again
    const old = { dangling: ['false'], label: [`cairn.image=${what}`], until: ['24h'] };
    await docker.pruneImages({ filters: old }).catch(() => {});
    return name;
  } finally {
    release();
  }
}

/** Hash of names and sizes of files and of the full texts: see `fingerprint`. */
const hashOf = (entries: readonly Entry[], texts: readonly string[]): string =>
  createHash('sha256')
    .update(process.version)
    .update(JSON.stringify(entries.map((one) => ('from' in one ? [one.path, fingerprint(one.from)] : one))))
    .update(JSON.stringify(texts))
    .digest('hex')
    .slice(0, 16);

async function hasImage(docker: Docker, name: string): Promise<boolean> {
  try {
    await docker.getImage(name).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

/** Reads Docker's response to its end: it begins with status 200 and reports errors as a line. */
function streamFinished(docker: Docker, answer: NodeJS.ReadableStream, say: LogLine): Promise<void> {
  return new Promise((done, fail) => {
    let bad: string | undefined;
    let last: string | undefined;
    docker.modem.followProgress(
      answer,
      (error) => (error || bad ? fail(error ?? new Error(bad)) : done()),
      ({ error, status, id }: { error?: string; status?: string; id?: string }) => {
        bad ??= error;
        const line = [id, status].filter(Boolean).join(' ');
        // progress bars repeat lines
        if (line && line !== last) say(line);
        last = line;
      },
    );
  });
}
