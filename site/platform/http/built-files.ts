import { existsSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import send from 'send';
import { acceptedCodings } from './accept-encoding.ts';

interface BuiltFile {
  path: string;
  type: string;
  /** The file name contains the content hash, so the file never changes. */
  hashed: boolean;
  /** A page prerendered at build time; its frame rule must be a header, since a meta element cannot carry it. */
  page: boolean;
  encodings: Array<'br' | 'gzip'>;
}

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
};
const endings = { br: '.br', gzip: '.gz' } as const;

/**
 * Serves the build output in `folder`. All addresses are read into a map at start, so other requests cost one lookup.
 * The handler returns true when it answered the request.
 */
export function builtFiles(
  folder: string,
): (req: IncomingMessage, res: ServerResponse, path: string) => boolean {
  const files = existsSync(folder) ? list(folder) : new Map<string, BuiltFile>();
  return (req, res, path) => {
    const file = files.get(path);
    if (!file || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const encoding = chosen(req, file);
    res.setHeader('content-type', file.type);
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader(
      'cache-control',
      file.hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    );
    if (file.encodings.length > 0) res.setHeader('vary', 'accept-encoding');
    if (encoding) res.setHeader('content-encoding', encoding);
    if (file.page) res.setHeader('content-security-policy', "frame-ancestors 'none'");
    send(req, encoding ? file.path + endings[encoding] : file.path, {
      root: folder,
      cacheControl: false,
      dotfiles: 'allow',
      acceptRanges: !encoding,
    })
      .on('error', () => res.headersSent || res.writeHead(404).end())
      .pipe(res);
    return true;
  };
}

function chosen(req: IncomingMessage, { encodings }: BuiltFile): 'br' | 'gzip' | undefined {
  if (encodings.length === 0) return undefined;
  const best = acceptedCodings(req.headers).find((one) => one === 'identity' || encodings.includes(one));
  return best === 'identity' ? undefined : best;
}

function list(folder: string): Map<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    const ending = entry.name.split('.').at(-1) ?? '';
    if (!entry.isFile() || ending === 'br' || ending === 'gz') continue;
    const file: BuiltFile = {
      path,
      type: types[ending] ?? 'application/octet-stream',
      hashed: path.startsWith('_astro/'),
      page: ending === 'html',
      encodings: (['br', 'gzip'] as const).filter((one) =>
        statSync(join(folder, path + endings[one]), { throwIfNoEntry: false }),
      ),
    };
    files.set(`/${path}`, file);
    if (file.page) files.set(`/${path.replace(/\.html$/, '')}`, file);
  }
  return files;
}
