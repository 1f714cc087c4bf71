import type { IncomingMessage, ServerResponse } from 'node:http';
import { admitTus, bodyTooLarge, tusOffset } from '#control/protocol/tus.ts';
import { Refused } from '#db/platform/errors.ts';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';
import { FileError } from '../files/file-error.ts';
import { receiveUpload } from '../files/receive.ts';
import { filesOf } from '../files/server-files.ts';
import type { PortContext } from './port-context.ts';
import { RequestBody } from './request-body.ts';

/** A client that sends nothing for so long is gone; its next request goes on where it was. */
const idle_ms = 30_000;

/** Answers a request of tus at the address with this secret. Throws what it is refused with. */
export async function answerUpload(
  port: PortContext,
  req: IncomingMessage,
  res: ServerResponse,
  secret: string,
): Promise<void> {
  const method = admitTus(req, res);
  if (method === 'HEAD') {
    const { offset, bytes } = await port.ask('transfer.offset', { secret });
    const size = bytes === null ? {} : { 'upload-length': bytes };
    res.writeHead(200, { 'upload-offset': offset, ...size }).end();
  } else if (method === 'DELETE') {
    await port.ask('transfer.cancel', { secret });
    res.writeHead(204).end();
  } else if (method === 'PATCH') {
    const offset = await append(port, req, secret);
    res.writeHead(204, { 'upload-offset': offset }).end();
  }
}

/** Appends the body, and gives the offset after it. Before that is said, the next request may come. */
async function append(port: PortContext, req: IncomingMessage, secret: string): Promise<number> {
  const offset = tusOffset(req);
  const transfer = port.transfers.open();
  const body = new RequestBody(req, { max_bytes: max_upload_request_bytes, idle_ms });
  const stop = () => body.stop();
  transfer.signal.addEventListener('abort', stop);
  try {
    const question = { transfer_id: transfer.id, secret };
    const { server_id, upload_id } = await port.ask('transfer.append', question);
    const bytes = Number(req.headers['content-length'] ?? Number.NaN);
    const received = await filesOf(port.server(server_id)).use(
      (access) =>
        receiveUpload(access, { upload_id, offset }, async (signal) => {
          signal.addEventListener('abort', stop);
          return { body, bytes };
        }),
      { takes: 'long', changes: true },
    );
    transfer.signal.throwIfAborted();
    if (body.end === 'too_large') throw bodyTooLarge();
    return received.offset;
  } catch (error) {
    transfer.signal.throwIfAborted();
    const isIncomplete = error instanceof FileError && error.code === 'upload_incomplete';
    if (body.end === 'too_large') throw bodyTooLarge();
    throw isIncomplete && body.end === 'idle' ? new Refused('server_unreachable') : error;
  } finally {
    transfer.close();
    await port.ask('transfer.ended', { transfer_id: transfer.id }).catch(() => {});
  }
}
