import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many pipelined requests may wait on one connection; no real client sends nearly as many. */
const max_waiting = 256;

/**
 * Answers the requests of one connection one at a time, and stops reading from it while others wait: a client that
 * pipelines requests and reads no answers costs one answer. Node itself would start all of them at once. The connection
 * is destroyed when more than 256 wait, which a single read can contain.
 */
export function answerInOrder(answer: RequestListener): RequestListener {
  /** The requests waiting behind the one being answered, by connection. */
  const queues = new WeakMap<Socket, Array<[IncomingMessage, ServerResponse]>>();

  function begin(req: IncomingMessage, res: ServerResponse, socket: Socket): void {
    res.once('close', () => next(socket));
    answer(req, res);
  }

  function next(socket: Socket): void {
    const following = socket.destroyed ? undefined : queues.get(socket)?.shift();
    if (!following) {
      queues.delete(socket);
      return;
    }
    if (queues.get(socket)?.length === 0) socket.resume();
    begin(...following, socket);
  }

  return (req, res) => {
    const { socket } = req;
    const waiting = queues.get(socket);
    if (!waiting) {
      queues.set(socket, []);
      begin(req, res, socket);
    } else if (waiting.length >= max_waiting) {
      socket.destroy();
    } else {
      waiting.push([req, res]);
      socket.pause();
    }
  };
}
