import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import send from 'send';
import { refusals } from '#db/errors.ts';
import type { Download } from '#db/files/downloads.ts';
import { extensionOf, fileExtensions, imageExtensions } from '#db/files/rules.ts';
import type { Storage } from '#db/storage/storage.ts';
import { networkOf } from './address.ts';

export interface FilesOptions {
  storage: Pick<Storage, 'root'>;
  /** Takes note of a download: returns at once and never throws. */
  downloads: { count(download: Download): void };
  /** The caller's address as TRUST_PROXY allows to believe it. */
  addressOf(req: IncomingMessage): string;
}

const types: Record<string, string> = { ...fileExtensions, ...imageExtensions };
const versionFile = /^data\/([0-9A-Za-z]{1,11})\/versions\/([0-9A-Za-z]{1,11})\/[^/]+$/;
const everywhere = {
  'access-control-allow-origin': '*',
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Makes the handler of everything below `/data/`: stored objects straight from disk, without the database, with ranges
 * and conditions, cached for ever because a key never changes its bytes. True when the request is answered by it. A
 * version's file that begins to leave is counted. Source: api-v2 §1.7, §15; design, Conventions (Storage).
 */
export function filesHandler({
  storage,
  downloads,
  addressOf,
}: FilesOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    const path = req.url?.split(/[?#]/, 1)[0] ?? '';
    if (!path.startsWith('/data/')) return false;
    for (const [name, value] of Object.entries(everywhere)) res.setHeader(name, value);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('allow', 'GET, HEAD');
      answer(res, req.method === 'OPTIONS' ? 204 : 405);
      return true;
    }
    const key = keyOf(path);
    if (!key || !storage.root) {
      answer(res, 404);
      return true;
    }
    const about = versionFile.exec(key);
    // `send` answers no 304 to a request with `Cache-Control: no-cache`, which `fetch` adds to every condition of its
    // own; bytes under one key never change, so there is nothing to reload
    delete req.headers['cache-control'];
    // the size of a block goes on to fs.createReadStream
    const options = {
      root: storage.root,
      index: false,
      dotfiles: 'allow',
      cacheControl: false,
      highWaterMark: 256 * 1024,
    } as const;
    const sending = send(req, path, options);
    sending.on('error', ({ status }: { status?: number }) => failed(res, status ?? 500));
    sending.on('directory', () => answer(res, 404));
    sending.on('headers', (_res: ServerResponse, _path: string, stat: Stats) =>
      describe(res, key, stat, about !== null),
    );
    sending.on('stream', () => {
      if (!about || !beginsAtStart(res)) return;
      downloads.count({ project_id: about[1]!, version_id: about[2]!, network: networkOf(addressOf(req)) });
    });
    sending.pipe(res);
    return true;
  };
}

/** The storage key a path names, null when none can: every part is decoded by itself and must stay one part. */
function keyOf(path: string): string | null {
  try {
    const parts = path.slice(1).split('/').map(decodeURIComponent);
    return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[/\\\0]/.test(part))
      ? parts.join('/')
      : null;
  } catch {
    return null;
  }
}

function describe(res: ServerResponse, key: string, stat: Stats, isVersionFile: boolean): void {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const extension = extensionOf(name);
  res.setHeader('content-type', types[extension] ?? 'application/octet-stream');
  res.setHeader('cache-control', 'public, max-age=31536000, immutable');
  res.setHeader('etag', `"${stat.size.toString(16)}-${Math.floor(stat.mtimeMs).toString(16)}"`);
  const inline = !isVersionFile && Object.hasOwn(imageExtensions, extension);
  res.setHeader('content-disposition', inline ? 'inline' : attachment(name));
}

/** `attachment; filename="..."`, and the exact name besides when it is not ASCII. Source: clients (mrpack-install). */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"${/^[\x20-\x7e]*$/.test(name) ? '' : `; filename*=UTF-8''${exact}`}`;
}

const beginsAtStart = (res: ServerResponse): boolean =>
  res.statusCode === 200 || /^bytes 0-/.test(String(res.getHeader('content-range') ?? ''));

/** `send` failed: what it had said about the file is taken back. */
function failed(res: ServerResponse, status: number): void {
  if (res.headersSent) return void res.destroy(); // cut off: better than a short file that looks whole
  const range = res.getHeader('content-range');
  for (const name of [
    'content-type',
    'content-length',
    'content-disposition',
    'etag',
    'last-modified',
    'content-range',
  ]) {
    res.removeHeader(name);
  }
  if (status === 416 && range) res.setHeader('content-range', range);
  answer(res, [412, 416, 500].includes(status) ? status : 404);
}

const texts: Record<number, string> = {
  404: refusals.not_found[1],
  405: 'Only GET and HEAD.',
  412: 'The file is another one.',
  416: 'The file has no such range.',
  500: 'The file cannot be read.',
};
const codes: Record<number, string> = {
  404: 'not_found',
  405: 'request_error',
  412: 'precondition_failed',
  416: 'request_error',
  500: 'internal_error',
};

function answer(res: ServerResponse, status: number): void {
  res.setHeader('cache-control', 'no-store');
  res.statusCode = status;
  if (status === 204) return void res.end();
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ error: codes[status], description: texts[status] }));
}
