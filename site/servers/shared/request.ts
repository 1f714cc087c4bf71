import type { PanelRequests } from '#control/protocol/browser.ts';
import type { PanelSocket } from './socket.ts';

export type Events = keyof PanelRequests;
export type Message<E extends Events> = Parameters<PanelRequests[E]>[0];
export type Reply<E extends Events> = Parameters<Parameters<PanelRequests[E]>[1]>[0];

const timeout_ms = 10_000;

/** Sends a request and waits for the reply, 10 s at most; rejects when the connection is lost. */
export async function requestOn<E extends Events>(
  socket: PanelSocket,
  event: E,
  message: Message<E>,
): Promise<Reply<E>> {
  if (!socket.connected) throw new Error('not connected');
  // the types of the package do not support an event name in a parameter
  const sender = socket.timeout(timeout_ms) as unknown as {
    emitWithAck(event: E, message: Message<E>): Promise<Reply<E>>;
  };
  return await sender.emitWithAck(event, message);
}
