import { execFile, spawn } from 'node:child_process';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createZstdCompress } from 'node:zlib';

/**
 * Exit codes of tar that count as success: 1 means that a file changed while it was read, as those of a running
 * server do.
 */
const accepted_exit_codes = [0, 1];

/** Bytes that the files of `folder` say they have. Holes count: whoever unpacks the archive may need the room. */
async function apparentBytes(folder: string): Promise<number> {
  const args = ['-n', '19', 'du', '-s', '-B1', '--apparent-size', '--one-file-system', folder];
  const { stdout } = await promisify(execFile)('nice', args).catch(
    // a file that is removed meanwhile makes `du` complain and go on
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return Number.parseInt(stdout, 10) || 0;
}

/**
 * Sends a folder as one `tar.zst` to `path` of the control plane at `url` (`http`, `https` or `unix:`). Gives the bytes sent.
 * One stream and no copy on the disk; a broken stream does not count as complete. Holes in files are not read. Throws when
 * the files say they have more than `max_bytes`. Source: hosting §1d, §1e.
 */
export async function uploadArchive(
  folder: string,
  url: string,
  path: string,
  max_bytes: number,
): Promise<number> {
  if ((await apparentBytes(folder)) > max_bytes)
    throw new Error(`The files say they have more than ${max_bytes} bytes: some of them have large holes`);
  const args = ['-n', '19', 'tar', '-C', folder, '--sparse', '--one-file-system', '-cf', '-', '.'];
  const tar = spawn('nice', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((go, fail) => {
    tar.once('error', fail);
    tar.once('close', (code) =>
      accepted_exit_codes.includes(code ?? 2)
        ? go()
        : fail(new Error(`tar ended with ${code ?? 'a signal'}`)),
    );
  });
  ended.catch(() => {});
  const unix = url.startsWith('unix:');
  const to = new URL(path, unix ? 'http://localhost' : url);
  const headers = { 'content-type': 'application/zstd' };
  const sent = (to.protocol === 'https:' ? overHttps : overHttp)(to, {
    method: 'PUT',
    headers,
    ...(unix ? { socketPath: url.slice('unix:'.length) } : {}),
  });
  const answered = new Promise<number>((go, fail) => {
    sent.once('error', fail);
    sent.once('response', (answer) => {
      answer.resume();
      go(answer.statusCode ?? 0);
    });
  });
  answered.catch(() => {});
  let bytes = 0;
  try {
    const packed = createZstdCompress();
    packed.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await pipeline(
      tar.stdout,
      packed,
      async function* (chunks: AsyncIterable<Buffer>) {
        yield* chunks;
        await ended; // the end of the stream is sent only after tar succeeded
      },
      sent,
    );
    const status = await answered;
    if (status !== 200) throw new Error(`The control plane answered ${status}`);
  } catch (error) {
    sent.destroy();
    tar.kill('SIGKILL');
    throw error;
  }
  return bytes;
}
