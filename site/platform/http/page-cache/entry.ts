import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { acceptedCodings, type Coding } from '../accept-encoding.ts';
import { ownBytes } from '../own-bytes.ts';
import type { Captured } from './capture.ts';

interface Variant {
  etag: string;
  /** Name, value, name, value: the fastest form for `writeHead`. */
  headers: string[];
  /** null: decompressed from `gzip` on demand, since hardly any client needs it. */
  body: Buffer | null;
}

/** A page ready to be sent. */
export interface Entry {
  status: number;
  tags: string[];
  /** Not served to signed-in users: they may see more. */
  anonymous_only: boolean;
  /** When its rendering began, in milliseconds since 1970. */
  made_ms: number;
  /** When the page expires, in milliseconds since 1970. */
  until: number;
  variants: Partial<Record<Coding, Variant>> & { identity: Variant };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const unzip = promisify(gunzip);
const ofOneAnswer = new Set([
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-request-id',
]);

const isCacheable = new Set([200, 301, 308, 404, 410, 451]);

const isPrivate = ({ headers }: Captured): boolean =>
  headers.some(([name, value]) => name === 'cache-control' && /private|no-store/.test(value));

/** `private, no-cache`: it read the current user, had none, and is the same for every visitor. */
const isForStrangers = ({ headers }: Captured): boolean =>
  headers.some(([name, value]) => name === 'cache-control' && value === for_strangers);

/** Of a page that is another one for those who are signed in. */
export const for_strangers = 'private, no-cache';

/**
 * Who may be served a response that was rendered for an anonymous request: everybody; visitors who are not signed in
 * (it read the current user and answered 404, or says so); or only the requester.
 */
export function audienceOf(captured: Captured): 'everybody' | 'strangers' | 'one' {
  const { status, headers } = captured;
  if (!isCacheable.has(status) || headers.some(([name]) => name === 'set-cookie')) return 'one';
  if (!isPrivate(captured)) return 'everybody';
  return status === 404 || isForStrangers(captured) ? 'strangers' : 'one';
}

/** Whether a response is personal: signed-in users get it rendered again. */
export const isPersonal = isPrivate;

/** Encodes a page in three codings, each with its strong ETag. `shared` replaces Cache-Control behind a CDN. */
export async function encodeVariants(
  { status, headers, body }: Captured,
  tags: string[],
  until: number,
  shared: Array<[string, string]> = [],
  made_ms = Date.now(),
): Promise<Entry> {
  const replaced = new Set(shared.map(([name]) => name));
  const headers_stored = [
    ...headers.filter(([name]) => !ofOneAnswer.has(name) && !replaced.has(name)),
    ...shared,
  ];
  const vary = headers.filter(([name]) => name === 'vary').map(([, value]) => value);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const packs =
    body.length > 1000 &&
    headers.some(([name, value]) => name === 'content-type' && /text|json|xml/.test(value));
  const variant = (coding: Coding, bytes: Buffer): Variant => {
    const etag = `"${hash}${coding === 'identity' ? '' : `-${coding}`}"`;
    return {
      etag,
      body: packs && coding === 'identity' ? null : ownBytes(bytes),
      headers: [
        ...headers_stored.flat(),
        ...['vary', [...vary, 'Accept-Encoding'].join(', ')],
        ...['etag', etag],
        ...['content-length', String(bytes.length)],
        ...(coding === 'identity' ? [] : ['content-encoding', coding]),
      ],
    };
  };
  const variants: Entry['variants'] = { identity: variant('identity', body) };
  if (packs) {
    const quality = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    };
    const [br, gz] = await Promise.all([brotli(body, quality), zip(body)]);
    variants.br = variant('br', br);
    variants.gzip = variant('gzip', gz);
  }
  return {
    status,
    tags,
    anonymous_only: audienceOf({ status, headers, body }) === 'strangers',
    made_ms,
    until,
    variants,
  };
}

/** The approximate memory that an entry takes. */
export const sizeOf = ({ variants, tags }: Entry): number =>
  Object.values(variants).reduce(
    (sum, { body }) => sum + (body?.length ?? 0) + 1500,
    500 + tags.length * 100,
  );

function accepted({ headers }: IncomingMessage, { variants }: Entry): Variant {
  const coding = acceptedCodings(headers).find((one) => variants[one]);
  return variants[coding ?? 'identity'] ?? variants.identity;
}

/** Sends a page, or 304 when the client has the same bytes. */
export async function send(req: IncomingMessage, res: ServerResponse, entry: Entry): Promise<void> {
  const { etag, headers, body } = accepted(req, entry);
  const known = req.headers['if-none-match'];
  if (
    entry.status === 200 &&
    known &&
    (known === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
  ) {
    res.writeHead(304, withoutContent(headers)).end();
    return;
  }
  const whole = req.method === 'HEAD' ? undefined : (body ?? (await identityBody(entry)));
  res.writeHead(entry.status, headers);
  res.end(whole);
}

/** The bytes of the page without a content coding. */
export const identityBody = async ({ variants }: Entry): Promise<Buffer> =>
  variants.identity.body ?? (await unzip(variants.gzip!.body!));

const withoutContent = (headers: readonly string[]): string[] =>
  headers.flatMap((name, index) =>
    index % 2 === 0 && !/^content-(type|encoding|length)$/.test(name) ? [name, headers[index + 1]!] : [],
  );
