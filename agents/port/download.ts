import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TransferAnswer } from '#control/protocol/transfers.ts';
import { about } from '../files/file-error.ts';
import { type Sink, send } from '../files/send.ts';
import { filesOf } from '../files/server-files.ts';
import type { PortContext } from './port-context.ts';
import { stream } from './stream.ts';

type Plan = TransferAnswer<'transfer.download'>;

/** Sends the holder of a ticket what it stands for. Throws what it is refused with while nothing is sent. */
export async function download(
  port: PortContext,
  req: IncomingMessage,
  res: ServerResponse,
  { secret, inline }: { secret: string; inline: boolean },
): Promise<void> {
  const plan = Promise.withResolvers<Plan>();
  plan.promise.catch(() => {});
  const sent = Promise.withResolvers<unknown>();
  sent.promise.catch(() => {});
  const transfer = port.transfers.open(async (body, signal) => {
    const both = AbortSignal.any([signal, transfer.signal]);
    const sending = stream(res, () => plan.promise, body, both);
    sending.then(sent.resolve, sent.reject);
    return await sending;
  });
  const onEnd = () => sent.reject(transfer.signal.reason);
  transfer.signal.addEventListener('abort', onEnd);
  res.once('close', () => sent.reject(new Error('The client is gone')));
  try {
    const question = { transfer_id: transfer.id, secret, range: req.headers.range ?? null, inline };
    const answer = await port.ask('transfer.download', { ...question, put: transfer.put });
    transfer.signal.throwIfAborted();
    plan.resolve(answer);
    if (answer.send === null) await sent.promise;
    else await sendFiles(port, answer, answer.send, res, transfer.signal);
  } catch (error) {
    plan.reject(error);
    throw error;
  } finally {
    transfer.close();
    transfer.signal.removeEventListener('abort', onEnd);
    await port.ask('transfer.ended', { transfer_id: transfer.id }).catch(() => {});
  }
}

async function sendFiles(
  port: PortContext,
  { server_id, status, headers }: Plan,
  asked: NonNullable<Plan['send']>,
  res: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const to: Sink = async (body, { bytes, etag }) => {
    const own = {
      ...(bytes === undefined ? {} : { 'content-length': bytes }),
      ...(etag === undefined ? {} : { etag: `"${etag}"` }),
    };
    return await stream(res, async () => ({ status, headers: { ...headers, ...own } }), body, signal);
  };
  await filesOf(port.server(server_id)).use(
    (access) => about(asked.paths[0] ?? '', () => send(access, asked, to)),
    { takes: 'long' },
  );
}
