import type { Socket } from 'socket.io-client';
import type { Ack } from '#control/protocol/ack.ts';
import type { PanelRequests } from '#control/protocol/browser.ts';
import { type ApiResult, offline } from '../../platform/browser/api-client.ts';
import type { PanelSocket, StaffSocket } from './socket.ts';

type RequestsOf<S> = S extends Socket<infer _Events, infer Requests> ? Requests : never;
type MessageOf<H> = H extends (message: infer Message, ack: never) => void ? Message : never;
type ResultOf<H> = H extends (message: never, ack: (answer: infer Answer) => void) => void
  ? Omit<Extract<Answer, { ok: true }>, 'ok'>
  : never;

/** The requests of panels: what they send, and what the control plane answers. */
export type Events = keyof PanelRequests;
export type Message<E extends Events> = MessageOf<PanelRequests[E]>;
export type Result<E extends Events> = ResultOf<PanelRequests[E]>;

const timeout_ms = 10_000;

/**
 * Sends a request and waits for its answer, 10 s at most. Never throws: the result is that of `apiFetch`, with the code
 * `offline` without an answer.
 */
export async function requestOn<S extends PanelSocket | StaffSocket, E extends keyof RequestsOf<S> & string>(
  socket: S,
  event: E,
  message: MessageOf<RequestsOf<S>[E]>,
): Promise<ApiResult<ResultOf<RequestsOf<S>[E]>>> {
  if (!socket.connected) return offline;
  // the types of the package do not support an event name in a parameter
  const sender = socket.timeout(timeout_ms) as unknown as {
    emitWithAck(event: string, message: unknown): Promise<Ack<ResultOf<RequestsOf<S>[E]>>>;
  };
  const answer = await sender.emitWithAck(event, message).catch(() => null);
  if (!answer) return offline;
  if (answer.ok) return { ok: true, data: answer };
  const { error: code, status, description, retry_after_ms, step } = answer;
  return { ok: false, error: { status, code, description, details: { retry_after_ms, step } } };
}
