import { createServer, type Server, type Socket } from 'node:net';
import { legacyAnswer, pong, type Shown, statusAnswer } from './answers.ts';
import { Greeting } from './greeting.ts';
import { backlog, type ConnectionCounts, max_connections } from './limits.ts';

/** From its connection on a client has this long for its ping, or to say that it joins. */
const greeting_ms = 10_000;

export interface ListenerOptions {
  shown: Shown;
  counts: ConnectionCounts;
  /** A player joins, having sent `bytes`. Once the connection is somebody else's matter, `uncount` takes it off the counts. */
  onJoin(socket: Socket, bytes: Buffer, uncount: () => void): void;
}

/**
 * Answers pings of the game on `host`:`port` in the place of a sleeping server, and gives players who join to `onJoin`. The
 * caller closes it; connections that were given away stay open. Throws what the system says when the port is not free.
 */
export async function listen(
  { host, port }: { host: string; port: number },
  options: ListenerOptions,
): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => greet(socket, options));
  server.maxConnections = max_connections;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ host, port, backlog }, () => {
      server.off('error', fail);
      // a connection that could not be accepted is that client's matter
      server.on('error', () => {});
      done();
    });
  });
  return server;
}

function greet(socket: Socket, { shown, counts, onJoin }: ListenerOptions): void {
  const uncount = counts.take(socket.remoteAddress ?? '');
  if (!uncount) return void socket.destroy();
  const greeting = new Greeting();
  const timer = setTimeout(() => socket.destroy(), greeting_ms);
  socket.on('error', () => {});
  socket.once('close', () => {
    clearTimeout(timer);
    uncount();
  });
  const take = (chunk: Buffer) => {
    for (const heard of greeting.take(chunk)) {
      if (heard.said === 'status') socket.write(statusAnswer(shown, heard.protocol));
      else if (heard.said === 'ping') socket.end(pong(heard.payload));
      else if (heard.said === 'legacy_ping') socket.end(legacyAnswer(shown));
      else if (heard.said === 'garbage') socket.destroy();
      else {
        clearTimeout(timer);
        socket.off('data', take);
        onJoin(socket, heard.bytes, uncount);
      }
    }
  };
  socket.on('data', take);
}
