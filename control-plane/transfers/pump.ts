import type { IncomingMessage, ServerResponse } from 'node:http';

/** How the body of a request ended: as it should, or which side ended it; `too_large`, and `idle` when nothing came for long. */
export type PumpEnd = 'complete' | 'client_gone' | 'agent_gone' | 'too_large' | 'idle';

interface Bounds {
  max_bytes: number;
  idle_ms: number;
  /** Ends it from outside, as `client_gone`. */
  signal: AbortSignal;
}

/**
 * Pipes the body of a client's request into the answer to an agent, with the backpressure of the agent. `pipeline` would destroy
 * the client's socket, which still has to hear of a failure. An answer whose body is cut off is cut off too.
 */
export async function pump(from: IncomingMessage, to: ServerResponse, bounds: Bounds): Promise<PumpEnd> {
  const { max_bytes, idle_ms, signal } = bounds;
  const { promise, resolve } = Promise.withResolvers<PumpEnd>();
  let bytes = 0;
  const idle = setTimeout(() => resolve('idle'), idle_ms);
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > max_bytes) return resolve('too_large');
    // a slow agent is no slow client
    if (to.write(chunk)) idle.refresh();
    else {
      from.pause();
      clearTimeout(idle);
    }
  };
  const onDrain = () => {
    idle.refresh();
    from.resume();
  };
  const onEnd = () => resolve('complete');
  const onClientGone = () => resolve('client_gone');
  const onAgentGone = () => resolve('agent_gone');
  const onAbort = () => resolve('client_gone');
  from.on('data', onData).once('end', onEnd).once('close', onClientGone).on('error', onClientGone);
  to.on('drain', onDrain).once('close', onAgentGone).on('error', onAgentGone);
  signal.addEventListener('abort', onAbort);
  if (to.destroyed) onAgentGone();
  if (from.destroyed || signal.aborted) onClientGone();
  const end = await promise;
  clearTimeout(idle);
  signal.removeEventListener('abort', onAbort);
  from.off('data', onData).off('end', onEnd).off('close', onClientGone);
  to.off('drain', onDrain).off('close', onAgentGone);
  if (end === 'complete') to.end();
  else to.destroy();
  // the rest of the body, so that the client hears the answer
  from.resume();
  return end;
}
