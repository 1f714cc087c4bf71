import { randomUUID } from 'node:crypto';
import { Upload } from 'tus-js-client';
import type { RentedServer } from './plane.ts';

/** How clients upload files to servers. */

type Panel = Pick<RentedServer, 'screen' | 'id'>;

/** Begins an upload, of a new id unless it is given; throws with the code of a refusal. */
export async function beginUpload(
  { screen, id }: Panel,
  upload: { upload_id?: string; path: string; bytes: number },
) {
  const message = { server_id: id, upload_id: randomUUID(), ...upload };
  const answer = await screen.request('files.upload', message);
  if (!answer.ok) throw new Error(answer.error);
  return { ...answer, upload_id: message.upload_id };
}

/** Puts a complete upload at its place. */
export const placeUpload = ({ screen, id }: Panel, upload_id: string, more: object = {}) =>
  screen.request('files.place', { server_id: id, upload_id, on_conflict: 'refuse', ...more });

/** The version of tus, as every request of it says. */
export const tus = { 'tus-resumable': '1.0.0' };

/** One request that sends `body` from `offset` on. */
export const patchUpload = (address: string, offset: number, body: BodyInit, headers: object = {}) =>
  fetch(address, {
    method: 'PATCH',
    body,
    duplex: 'half',
    headers: {
      ...tus,
      ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      ...headers,
    },
  } as RequestInit);

/** Bytes that differ from those around them. */
export const variedBytes = (count: number) =>
  Buffer.from(Array.from({ length: count }, (_, i) => (i * 7) % 251));

/** Sends all with tus-js-client, in chunks of 1 MB. */
export const sendUpload = (uploadUrl: string, content: Buffer) =>
  new Promise<void>((done, fail) => {
    const upload = new Upload(content, {
      ...{ uploadUrl, chunkSize: 1_000_000, retryDelays: [50, 100, 200, 400, 800] },
      onSuccess: () => done(),
      onError: fail,
    });
    upload.start();
  });
