import { setTimeout } from 'node:timers/promises';
import type { TransferDirection } from '#db/hosting/servers/transfer-addresses.ts';
import { Refused } from '#db/platform/errors.ts';
import {
  askFiles,
  type FileQueryInput,
  type FileQueryOutput,
  type ServerOnNode,
  type TransferContext,
} from '../agents/ask-files.ts';
import type { AgentRequest } from '../planes/addresses.ts';

/** Longest time that one stream may take. */
const stream_ms = 3_600_000;
/** How often an agent is asked whose connection is lost before it begins, and the pause in between. */
const max_asks = 3;
const retry_ms = 300;

/** Queries that an agent answers after it has used an address. */
type StreamQuery = 'send' | 'upload_receive';

interface Meeting<Q extends StreamQuery> {
  query: Q;
  /** The agent's arguments with this address. */
  args(address: string): FileQueryInput<Q>;
  /** How long the agent may take to begin. */
  start_ms?: number;
  /** Ends the waiting: the client is gone. */
  signal?: AbortSignal;
}

/**
 * Has the agent of a server send to, or fetch from, an address that works once. Gives the agent's request as soon as it
 * came, and its answer, which follows the last byte. Asked again while it has not begun and its connection was lost. Refuses
 * as `askFiles`.
 */
export async function meetAgent<Q extends StreamQuery>(
  context: TransferContext,
  server: ServerOnNode,
  { query, args, start_ms, signal }: Meeting<Q>,
): Promise<{ agent: AgentRequest; answer: Promise<FileQueryOutput<Q>> }> {
  const direction: TransferDirection = query === 'send' ? 'to' : 'from';
  const address = await context.addresses.open(server.id, direction, start_ms);
  const onAbort = () => address.close();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  let is_open = true;
  address.arrived.finally(() => (is_open = false)).catch(() => {});
  const ask = async (): Promise<FileQueryOutput<Q>> => {
    for (let asks = 1; ; asks++) {
      try {
        return await askFiles(context, server, query, args(address.address), stream_ms);
      } catch (error) {
        const isLost = error instanceof Refused && error.code === 'server_unreachable';
        if (!isLost || !is_open || asks === max_asks) throw error;
        await setTimeout(retry_ms);
      }
    }
  };
  const answer = ask();
  answer.catch(() => {});
  try {
    // an answer that comes first is a refusal
    const refused = answer.then(() => {
      throw new Refused('operation_failed');
    });
    refused.catch(() => {});
    return { agent: await Promise.race([address.arrived, refused]), answer };
  } finally {
    signal?.removeEventListener('abort', onAbort);
    address.close();
  }
}
