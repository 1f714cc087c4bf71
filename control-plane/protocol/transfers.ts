import { z } from 'zod';
import type { Ack } from './ack.ts';
import { fileQueries } from './files.ts';

/**
 * What an agent with a port of its own asks of the control plane about transfers that come there: the plane knows tickets and
 * rights, bytes pass the agent only. An agent asks when `Welcome` names the origin of the site; older planes do not. Source:
 * hosting §1e.
 */

/** The origin of a port, as browsers reach it: it becomes part of a content security policy. */
export const originPattern =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Facts of a node: the origin of the port of its agent; agents without one leave it out. */
export const transferFacts = { transfer_url: z.string().max(300).regex(originPattern).optional() };

/**
 * Where a client sends or fetches bytes: `address` on the site. `direct`, where the machine of the server has a port of its own: the
 * same at it, which is faster. A client that does not reach it goes on at the site.
 */
export const transferWays = { address: z.string(), direct: z.string().optional() };

const whole = z.int().min(0);
const lease = whole;
const secret = z.string().max(100);
/** Made by the agent: it names the transfer from the question to its end. */
const transfer_id = z.uuid();
const server_id = z.string();
/** Of a stream that an operation brings to the agent itself: its path and query, as an address of the plane has them. */
const put = fileQueries.send.input.shape.put;

export const transferRequests = {
  /** Uses up a ticket: what is sent to its holder. A backup comes by an operation to `put`, and has no `send`. */
  'transfer.download': {
    input: z.object({
      lease,
      transfer_id,
      secret,
      range: z.string().max(200).nullable(),
      inline: z.boolean(),
      put,
    }),
    output: z.object({
      server_id,
      status: z.literal([200, 206]),
      headers: z.record(z.string(), z.string()),
      send: fileQueries.send.input.omit({ put: true }).nullable(),
    }),
  },
  /** Takes an upload for one request that brings bytes. */
  'transfer.append': {
    input: z.object({ lease, transfer_id, secret }),
    output: z.object({ server_id, upload_id: z.uuid() }),
  },
  'transfer.offset': {
    input: z.object({ lease, secret }),
    output: z.object({ offset: whole, bytes: whole.nullable() }),
  },
  'transfer.cancel': { input: z.object({ lease, secret }), output: z.object({}) },
  /** A download or a request of an upload has ended, however it went; the next request may come after the answer. */
  'transfer.ended': { input: z.object({ lease, transfer_id }), output: z.object({}) },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;
export type TransferRequest = keyof typeof transferRequests;
/** What an agent sends besides its lease, and what it gets. */
export type TransferQuestion<R extends TransferRequest> = Omit<
  z.output<(typeof transferRequests)[R]['input']>,
  'lease'
>;
export type TransferAnswer<R extends TransferRequest> = z.output<(typeof transferRequests)[R]['output']>;

/** Why a transfer is refused: a status of HTTP, with the code and text of the refusal. */
export interface TransferRefusal {
  status: number;
  error: string;
  description: string;
}

/** The same as the typed socket of an agent has them. */
export type TransferMessages = {
  [R in TransferRequest]: (
    message: z.input<(typeof transferRequests)[R]['input']>,
    ack: (
      answer: Ack<R extends 'transfer.cancel' | 'transfer.ended' ? Record<never, never> : TransferAnswer<R>>,
    ) => void,
  ) => void;
};

export interface CutMessages {
  /** Ends a transfer: the right to it is gone, or what brings its bytes failed. One that has not begun is told why. */
  'transfer.cut'(message: { transfer_id: string; why: TransferRefusal }): void;
}
