import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { deserialize } from 'node:v8';

/**
 * The bare server of the launchers' bench, in its own process: node:http that reads and parses each body and sends the
 * bytes recorded in ANSWERS for the same request.
 */
const answers = deserialize(readFileSync(process.env.ANSWERS ?? '')) as Map<string, Uint8Array>;

const server = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (body !== '') JSON.parse(body);
  const bytes = answers.get(`${req.url} ${body}`);
  res.writeHead(bytes ? 200 : 404, { 'content-type': 'application/json' }).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  process.send?.(typeof at === 'object' ? at?.port : 0);
});
process.on('disconnect', () => process.exit(0));
