import type { Socket } from 'socket.io';

/** A viewer with more bytes than this on their way gets no lines until most of them have arrived. Source: hosting §5.4. */
export const high_water_bytes = 1_000_000;
export const low_water_bytes = 64_000;

/** Bytes sent to a socket that have not left this machine, roughly; counted up to `enough`. */
export function bufferedBytes({ conn }: Pick<Socket, 'conn'>, enough = high_water_bytes): number {
  const { writeBuffer, transport } = conn as unknown as {
    writeBuffer: Array<{ data?: string | Buffer }>;
    transport: { socket?: { bufferedAmount?: number } };
  };
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) {
    bytes += data?.length ?? 0;
    if (bytes > enough) break;
  }
  return bytes;
}
