import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';
import { UserError } from '../../user-error.ts';
import { descriptionOf } from './download.ts';

/** Pauses between attempts while there is no answer; then the command gives up, and the same one goes on. */
const waits_ms = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
/** Another request still has the upload, the control plane is away, or bytes arrived that were not acknowledged. */
const passing = [409, 423, 429, 502, 503, 504];

const tus = { 'tus-resumable': '1.0.0' };

/** The ID of an upload: the same file to the same place goes on where it was. */
export function uploadIdOf(upload: {
  server_id: string;
  path: string;
  bytes: number;
  modified_ms: number;
}): string {
  const { server_id, path, bytes, modified_ms } = upload;
  const hash = createHash('sha256')
    .update(JSON.stringify([server_id, path, bytes, modified_ms]))
    .digest('hex');
  // the form of a UUID of version 8: its bits are our own (RFC 9562 §5.8)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * Sends a file to the address of an upload by tus, from where it is on. Lost connections are waited for; a refusal ends the
 * command with its text.
 */
export async function sendFile(address: string, file: string, bytes: number): Promise<void> {
  let [offset, tries] = [await offsetAt(address), 0];
  while (offset < bytes) {
    const end = Math.min(bytes, offset + max_upload_request_bytes);
    const answer = await fetch(address, {
      method: 'PATCH',
      headers: {
        ...tus,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(end - offset),
      },
      body: createReadStream(file, { start: offset, end: end - 1 }),
      duplex: 'half',
    } as unknown as RequestInit).catch(() => null);
    if (answer?.ok) {
      [offset, tries] = [Number(answer.headers.get('upload-offset')), 0];
      continue;
    }
    await pause(answer, tries++);
    offset = await offsetAt(address);
  }
}

/** Ends an upload; one that nobody ends expires. */
export async function cancelUpload(address: string): Promise<void> {
  await fetch(address, { method: 'DELETE', headers: tus }).catch(() => {});
}

async function offsetAt(address: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(address, { method: 'HEAD', headers: tus }).catch(() => null);
    if (answer?.ok) return Number(answer.headers.get('upload-offset'));
    if (answer && !passing.includes(answer.status))
      throw new UserError('This upload has expired or was cancelled. Run the command again.');
    await pause(answer, tries);
  }
}

async function pause(answer: Response | null, tries: number): Promise<void> {
  if (answer && !passing.includes(answer.status)) throw new UserError(await descriptionOf(answer));
  const wait_ms = waits_ms[tries];
  if (wait_ms === undefined)
    throw new UserError('Cairn is not responding. The same command goes on where this one stopped.');
  await setTimeout(wait_ms);
}
