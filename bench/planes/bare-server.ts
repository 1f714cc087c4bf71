import { createServer, type Socket } from 'node:net';

/**
 * The least that a line to many viewers costs on this machine: a server that writes the same bytes to the first `count` of its
 * connections when told to, with their time at the front.
 */
const sockets: Socket[] = [];
const bytes_of_line = 180;
const server = createServer({ noDelay: true }, (socket) => void sockets.push(socket.on('error', () => {})));
server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
process.on('message', (count: number) => {
  const bytes = Buffer.alloc(bytes_of_line);
  bytes.writeBigUInt64LE(process.hrtime.bigint());
  for (const socket of sockets.slice(0, count)) socket.write(bytes);
});
process.on('disconnect', () => process.exit(0));
