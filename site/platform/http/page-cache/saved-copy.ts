import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { messages } from '#content/messages.ts';
import { exactDate } from '../../text/dates.ts';
import { element } from '../../text/xml.ts';
import { acceptedCodings, type Coding } from '../accept-encoding.ts';
import { savedHeaders } from '../saved-headers.ts';
import { type Entry, identityBody } from './entry.ts';
import { saved_copy_mark } from './saved-copy-mark.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Headers of the stored variants that do not fit a copy: it has other bytes, and no cache may keep it. */
const replaced = new Set([
  ...['cache-control', 'cache-tag', 'content-encoding', 'content-length', 'etag', 'last-modified'],
]);

interface CopyOptions {
  language: string;
  now: Date;
  /** The last moment at which the page was known to be right, in milliseconds since 1970. */
  right_until_ms: number;
}

/**
 * Sends a stored page although the database is away, marked as what it is: `Age` since it was rendered, `Cache-Status`
 * with how long its freshness is over, and in HTML a line in the language of the page at `saved_copy_mark`. Encoded on
 * the fly, without an ETag, and never kept by browsers and CDNs.
 */
export async function sendSavedCopy(
  req: IncomingMessage,
  res: ServerResponse,
  entry: Entry,
  { language, now, right_until_ms }: CopyOptions,
): Promise<void> {
  const { headers } = entry.variants.identity;
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && !replaced.has(name) ? [name, headers[index + 1]!] : [],
  );
  const stored = await identityBody(entry);
  const body = isHtml(headers) ? withLine(stored, language, new Date(entry.made_ms)) : stored;
  const coding = stored.length > 1000 ? (acceptedCodings(req.headers)[0] ?? 'identity') : 'identity';
  const bytes = await encoded(body, coding);
  res.writeHead(entry.status, [
    ...kept,
    ...savedHeaders(entry.made_ms, right_until_ms, now.getTime()),
    ...['content-length', String(bytes.length)],
    ...(coding === 'identity' ? [] : ['content-encoding', coding]),
  ]);
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

const isHtml = (headers: readonly string[]): boolean => {
  const at = headers.indexOf('content-type');
  return at % 2 === 0 && headers[at + 1]!.startsWith('text/html');
};

/** The page with a line that says from when it is: at its mark, else at its end. */
function withLine(page: Buffer, language: string, made: Date): Buffer {
  const marked = page.lastIndexOf(saved_copy_mark);
  const at = marked === -1 ? page.lastIndexOf('</body>') : marked;
  if (at === -1) return page;
  const own = messages(language);
  const text = own.t('shell.saved_copy', { at: exactDate(own, made) });
  const line = element('aside', { class: 'notice saved-copy' }, element('p', { class: 'page' }, text));
  return Buffer.concat([page.subarray(0, at), Buffer.from(line.xml), page.subarray(at)]);
}

async function encoded(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return body;
  if (coding === 'gzip') return await zip(body);
  return await brotli(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}
