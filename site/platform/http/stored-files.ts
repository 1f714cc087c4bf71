import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { downloadMetaOf } from '#db/discovery/analytics/download-meta.ts';
import type { Download } from '#db/discovery/analytics/downloads.ts';
import { domainOf, isCrawler, sentToken, sourceOfDownload } from '#db/discovery/analytics/sources.ts';
import { type Refused, refusals } from '#db/platform/errors.ts';
import { smallestCopy } from '#db/platform/files/image-copies.ts';
import { extensionOf, fileExtensions, imageExtensions } from '#db/platform/files/rules.ts';
import type { FileLocation } from '#db/platform/files/stored-files.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { isStorageKey, type Storage, type StoredObject } from '#db/platform/storage/storage.ts';
import type { BlockedFiles } from './blocked-files.ts';
import { conditionStatus, rangeOf } from './conditions.ts';
import { countryInHeader } from './country-header.ts';
import type { HiddenFileList } from './hidden-files.ts';

export interface FilesOptions {
  storage: Pick<Storage, 'head' | 'read'>;
  /** Which files are not served. */
  blocked: Pick<BlockedFiles, 'reason'>;
  /** Which files only members and staff may load. */
  hidden: Pick<HiddenFileList, 'access'>;
  /** The refusal for a file that is not there because its version was deleted; null when it never was, or is hidden. */
  gone(file: FileLocation): Promise<Refused | null>;
  /** Counts a download: returns at once and never throws. */
  usage: { count(download: Download): void };
  /** The client's address, as far as TRUST_PROXY allows to believe it. */
  addressOf(req: IncomingMessage): string;
  log: Logger;
  settings: Pick<Settings, 'SITE_URL' | 'COUNTRY_HEADER'>;
}

const types: Record<string, string> = { ...fileExtensions, ...imageExtensions };
const versionFile = /^data\/([0-9A-Za-z]{1,11})\/versions\/([0-9A-Za-z]{1,11})\/([^/]+)$/;
const everywhere = {
  'access-control-allow-origin': '*',
  'content-security-policy': "sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Makes the handler of everything below `/data/`: serves stored objects without the database, with ranges and
 * conditions, cached forever because the bytes of a key never change; those of hidden versions by an address with
 * their key only, and never cached. Returns true when it answered the request. A
 * version file is counted when its first byte is sent; files of blocked projects are 451 or 404, those of deleted versions 410
 * (the only thing that asks the database). Source: api-v2 §1.7,
 * §15; design §3.5.
 */
export function filesHandler(options: FilesOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
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
    if (!key || !isStorageKey(key)) {
      answer(res, 404);
      return true;
    }
    const reason = options.blocked.reason(key);
    if (reason) {
      if (reason === 'unknown') res.setHeader('retry-after', '1');
      answer(res, reason === 'unknown' ? 503 : reason === 'legal' ? 451 : 404);
      return true;
    }
    const access = options.hidden.access(key, req.url ?? '');
    if (access === 'hidden' || access === 'unknown') {
      if (access === 'unknown') res.setHeader('retry-after', '1');
      answer(res, access === 'unknown' ? 503 : 404);
      return true;
    }
    sendObject(req, res, key, { ...options, is_private: access === 'shown' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return void res.destroy(); // the client disconnected
        options.log.error(
          { err: error, key },
          'A stored file could not be sent; the client gets 500 or a cut connection',
        );
        if (res.headersSent)
          res.destroy(); // cut the connection: better than a truncated file that looks complete
        else answer(res, 500);
      },
    );
    return true;
  };
}

async function sendObject(
  req: IncomingMessage,
  res: ServerResponse,
  key: string,
  options: FilesOptions & { is_private: boolean },
): Promise<void> {
  const { storage } = options;
  const object = (await storage.head(key)) ?? (await smallestOf(storage, key));
  const about = versionFile.exec(key);
  if (!object) return await answerMissing(res, about, options);
  const validators = { etag: `"${object.etag}"`, modified: object.modified };
  const status = conditionStatus(req.headers, validators);
  if (status === 412) return answer(res, 412);
  const lasting = object.key === key ? 'max-age=31536000, immutable' : 'max-age=3600';
  res.setHeader('cache-control', options.is_private ? 'private, no-store' : `public, ${lasting}`);
  res.setHeader('etag', validators.etag);
  res.setHeader('last-modified', object.modified.toUTCString());
  res.setHeader('accept-ranges', 'bytes');
  if (status === 304) return void res.writeHead(304).end();

  const range = rangeOf(req.headers, object.size, validators);
  if (range === 'unsatisfiable') {
    for (const name of ['etag', 'last-modified']) res.removeHeader(name);
    res.setHeader('content-range', `bytes */${object.size}`);
    return answer(res, 416);
  }
  const body = req.method === 'HEAD' ? null : await storage.read(object.key, range ?? undefined);
  if (req.method === 'GET' && !body) return answer(res, 404); // removed meanwhile
  describe(res, object, about !== null);
  res.statusCode = range ? 206 : 200;
  if (range) res.setHeader('content-range', `bytes ${range.start}-${range.end}/${object.size}`);
  res.setHeader('content-length', range ? range.end - range.start + 1 : object.size);
  if (!body) return void res.end();
  // the client left while the file was opened: nothing is sent, so nothing is counted
  if (res.destroyed) return void body.destroy();
  if (about && !range?.start) count(req, about[1]!, about[2]!, options);
  await pipeline(body, res);
}

/** Answers 410 for a file of a version that was deleted, and 404 for others, or while the database does not say. */
async function answerMissing(
  res: ServerResponse,
  about: RegExpExecArray | null,
  { gone, log }: FilesOptions,
): Promise<void> {
  const [, project_id, version_id, filename] = about ?? [];
  if (!project_id || !version_id || !filename) return answer(res, 404);
  const refused = await gone({ project_id, version_id, filename }).catch((error: unknown) => {
    log.warn({ err: error }, 'Whether a missing file was deleted could not be read; the client gets 404');
    return null;
  });
  if (!refused) return answer(res, 404);
  answer(res, refused.status, { error: 'gone', description: refused.message });
}

/** Crawlers load files for nobody: they are not counted. */
function count(
  req: IncomingMessage,
  project_id: string,
  version_id: string,
  { usage, addressOf, settings }: FilesOptions,
): void {
  const { 'user-agent': agent, referer: referrer } = req.headers;
  if (isCrawler(agent)) return;
  const country = settings.COUNTRY_HEADER && countryInHeader(req.headers[settings.COUNTRY_HEADER]);
  usage.count({
    project_id,
    version_id,
    network: networkOf(addressOf(req)),
    meta: downloadMetaOf(req.headers, req.url ?? ''),
    ...(country && { country }),
    source: sourceOfDownload({ agent, referrer }, new URL(settings.SITE_URL).hostname),
    domain: domainOf(referrer),
    ...sentToken(req.headers.authorization),
  });
}

/** In place of a larger copy that is missing, because the image was stored before there were any: its smallest. */
async function smallestOf(storage: FilesOptions['storage'], key: string): Promise<StoredObject | null> {
  const smallest = smallestCopy(key);
  return smallest === key ? null : await storage.head(smallest);
}

/** The storage key of a path, null for an invalid one: every segment is decoded alone and must stay one segment. */
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

function describe(res: ServerResponse, { key }: StoredObject, isVersionFile: boolean): void {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const extension = extensionOf(name);
  res.setHeader(
    'content-type',
    Object.hasOwn(types, extension) ? types[extension]! : 'application/octet-stream',
  );
  const inline = !isVersionFile && Object.hasOwn(imageExtensions, extension);
  res.setHeader('content-disposition', inline ? 'inline' : attachment(name));
}

/** `attachment; filename="..."`, plus the exact name when it is not ASCII. Source: clients §9 (mrpack-install). */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"${/^[\x20-\x7e]*$/.test(name) ? '' : `; filename*=UTF-8''${exact}`}`;
}

const texts: Record<number, string> = {
  404: refusals.not_found[1],
  405: 'Only GET and HEAD.',
  412: 'The file is another one.',
  416: 'The file has no such range.',
  451: refusals.unavailable_for_legal_reasons[1],
  500: 'The file cannot be read.',
  503: refusals.busy[1],
};
const codes: Record<number, string> = {
  404: 'not_found',
  405: 'request_error',
  412: 'precondition_failed',
  416: 'request_error',
  451: 'unavailable_for_legal_reasons',
  500: 'internal_error',
  503: 'busy',
};

function answer(
  res: ServerResponse,
  status: number,
  body = { error: codes[status], description: texts[status] },
): void {
  res.setHeader('cache-control', 'no-store');
  res.statusCode = status;
  if (status === 204) return void res.end();
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify(body));
}
