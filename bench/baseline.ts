import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import * as projects from '#db/projects/read.ts';
import { parseSettings } from '#db/runtime/env.ts';
import { connect } from '#db/sql.ts';

/**
 * The baseline server, in its own process: node:http with nothing around it. `/query/ID` runs the same query as the
 * API and returns the row, `/bytes` sends the file named by BYTES (headers in HEADERS), `/stream` pipes the file FILE.
 */
const sql = connect({ address: process.env.DATABASE ?? '', max: 10 });
const settings = parseSettings({});
const bytes = process.env.BYTES ? readFileSync(process.env.BYTES) : Buffer.alloc(0);
const headers = JSON.parse(process.env.HEADERS ?? '{}') as Record<string, string>;

async function answer(path: string, res: ServerResponse): Promise<void> {
  if (path.startsWith('/query/')) {
    const project = await projects.findProject({ sql, settings }, path.slice('/query/'.length), null);
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(project));
  } else if (path === '/bytes') {
    res.writeHead(200, headers).end(bytes);
  } else {
    createReadStream(process.env.FILE ?? '').pipe(res.writeHead(200));
  }
}

const server = createServer((req, res) => {
  answer(req.url ?? '/', res).catch((error: Error) => res.writeHead(500).end(error.message));
});
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  process.send?.(typeof at === 'object' ? at?.port : 0);
});
process.on('disconnect', () => process.exit(0));
