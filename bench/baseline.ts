import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as projects from '#db/catalogue/projects/read.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';

/** An answer as it was received: the file with its body, and its headers. */
export interface KeptAnswer {
  file: string;
  headers: Record<string, string>;
}

/**
 * The baseline server, in its own process: node:http with nothing around it. `/query/ID` runs the same query as the
 * API and returns the row, `/stream` pipes the file FILE. `/bytes/N` sends the Nth answer of the list in KEPT: its file
 * with its headers, after it has read and parsed the body of a POST. `/upload` hashes its body and writes it to the folder
 * FOLDER, and `/form` is a page with a field for a file.
 */
const sql = connect({ address: process.env.DATABASE ?? '', max: 10 });
const settings = parseSettings({});
const kept = (JSON.parse(process.env.KEPT ?? '[]') as KeptAnswer[]).map(({ file, headers }) => ({
  bytes: readFileSync(file),
  headers,
}));

function sendKept(req: IncomingMessage, res: ServerResponse, path: string): void {
  const { bytes, headers } = kept[Number(path.slice('/bytes/'.length))]!;
  const send = () => void res.writeHead(200, headers).end(bytes);
  if (req.method !== 'POST') {
    send();
    return;
  }
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    send();
  });
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const path = req.url ?? '/';
  if (path.startsWith('/query/')) {
    const project = await projects.findProject({ sql, settings }, path.slice('/query/'.length), null);
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(project));
  } else if (path.startsWith('/bytes/')) {
    sendKept(req, res, path);
  } else if (path === '/form') {
    res.writeHead(200, { 'content-type': 'text/html' }).end('<input type="file">');
  } else if (path === '/upload') {
    res.end(JSON.stringify(await keep(req)));
  } else if (path === '/favicon.ico') {
    res.writeHead(404).end();
  } else {
    createReadStream(process.env.FILE ?? '').pipe(res.writeHead(200));
  }
}

/** SHA-1 and SHA-512 of what arrives, which is on the disk then. */
async function keep(req: IncomingMessage): Promise<object> {
  const [sha1, sha512] = [createHash('sha1'), createHash('sha512')];
  const path = join(process.env.FOLDER ?? '', `bench-${randomUUID()}`);
  const file = await open(path, 'wx');
  for await (const chunk of req as AsyncIterable<Buffer>) {
    sha1.update(chunk);
    sha512.update(chunk);
    await file.write(chunk);
  }
  await file.sync();
  await file.close();
  await rm(path);
  return { sha1: sha1.digest('hex'), sha512: sha512.digest('hex') };
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: Error) => res.writeHead(500).end(error.message));
});
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  process.send?.(typeof at === 'object' ? at?.port : 0);
});
process.on('disconnect', () => process.exit(0));
