import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { answer } from './answer.ts';
import { packetsOf, RequestSlots, send } from './channel.ts';
import { failureOf } from './failure.ts';
import type { Handles } from './handles.ts';
import { sftpLimits } from './limits.ts';
import { statusReply, versionReply } from './replies.ts';
import { parseInit, parseRequest, type SftpRequest } from './requests.ts';
import type { ServerFiles } from './server-files.ts';
import { MalformedPacket } from './wire.ts';

interface Session {
  files: ServerFiles;
  handles: Handles;
  log: Logger;
  /** Why nothing more is done, or null. */
  whyEnded(): Error | null;
  /** Called with every packet, for the idle timeout. */
  active(): void;
}

/**
 * Serves one channel until it ends. Reads and writes of a file run in its own order, beside each other; everything else runs
 * one after the other, so that a client that does not wait for answers gets what it asked for.
 */
export async function serveChannel(channel: Duplex, session: Session): Promise<void> {
  const slots = new RequestSlots();
  let order: Promise<unknown> = Promise.resolve();
  let isOpen = false;
  channel.on('error', () => {}); // the connection broke off
  for await (const packet of packetsOf(channel)) {
    session.active();
    if (!isOpen) {
      if (parseInit(packet) === null) throw new MalformedPacket('The first packet must be INIT.');
      isOpen = true;
      await send(channel, versionReply());
      continue;
    }
    const request = parseRequest(packet);
    const bytes = bytesOf(request);
    await slots.enter(bytes);
    const isFree = request.type === 'read' || request.type === 'write';
    const done = isFree ? reply(session, request) : order.then(() => reply(session, request));
    if (!isFree) order = done;
    void done
      .then((packet) => {
        session.active();
        return send(channel, packet);
      })
      .finally(() => slots.leave(bytes));
  }
  await order;
}

async function reply({ files, handles, log, whyEnded }: Session, request: SftpRequest): Promise<Buffer> {
  try {
    const ended = whyEnded();
    if (ended) throw ended;
    return await answer(files, handles, request);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) log.error({ err: error, request: request.type }, 'SFTP request failed');
    return statusReply(request.id, failure?.status ?? 'failure', failure?.message ?? 'Something went wrong.');
  }
}

/** What a request and its answer hold in memory. */
function bytesOf(request: SftpRequest): number {
  if (request.type === 'write') return request.data.length;
  if (request.type === 'read') return Math.min(request.length, sftpLimits.block_bytes);
  return 1_000;
}
