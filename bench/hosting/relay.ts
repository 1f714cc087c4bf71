import { connect, createServer } from 'node:net';

/** Relays bytes between a unix socket and the next one, or echoes them when there is none: `node relay.ts AT [TO]`. */
const [at, to] = process.argv.slice(2);
createServer((socket) => {
  const next = to ? connect(to) : socket;
  socket.pipe(next);
  if (next !== socket) next.pipe(socket);
}).listen(at, () => process.send?.('listens'));
