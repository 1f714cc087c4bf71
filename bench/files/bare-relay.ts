import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * A process that only passes bytes on, by node:http: `bare-relay.ts AT [TO]`, sockets or a port of 0 for AT. The last one, without
 * TO, sends the file FILE for GET, and stores the body of a PUT as the file STORED, which is on the disk when it answers.
 */
const [at = '', to] = process.argv.slice(2);
const { FILE = '', STORED = '' } = process.env;

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (to) {
    const onward = request({ socketPath: to, method: req.method ?? '', path: '/', headers: req.headers });
    const answered = new Promise<IncomingMessage>((go, fail) =>
      onward.once('response', go).once('error', fail),
    );
    await pipeline(req, onward);
    const forwarded = await answered;
    res.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
    return await pipeline(forwarded, res);
  }
  if (req.method === 'PUT') {
    await pipeline(req, createWriteStream(STORED, { flush: true }));
    res.end();
    return;
  }
  res.writeHead(200, { 'content-length': statSync(FILE).size });
  await pipeline(createReadStream(FILE), res);
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: Error) => res.destroy(error));
});
server.listen(at === '0' ? { port: 0, host: '127.0.0.1' } : { path: at }, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? (address?.port ?? 0) : 0);
});
process.on('disconnect', () => process.exit(0));
