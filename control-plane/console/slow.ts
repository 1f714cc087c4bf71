import type { Socket } from 'socket.io';

/** A viewer with more than this on its way to it is not sent more lines until most of it has arrived. Source: hosting §5.4. */
export const most_waiting = 1_000_000;
export const few_waiting = 64_000;

/** Bytes that were sent to a socket and are still on this machine, roughly. */
export function waitingFor({ conn }: Socket): number {
  const { writeBuffer, transport } = conn as unknown as {
    writeBuffer: Array<{ data?: string | Buffer }>;
    transport: { socket?: { bufferedAmount?: number } };
  };
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) {
    bytes += data?.length ?? 0;
    if (bytes > most_waiting) break;
  }
  return bytes;
}
