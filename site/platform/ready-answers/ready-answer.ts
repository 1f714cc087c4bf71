import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ownBytes } from '../http/own-bytes.ts';
import { compressed_from_bytes } from '../route/middleware.ts';
import type { Stored } from './answer-store.ts';

/** A finished answer of the API. */
export interface ReadyAnswer extends Stored {
  status: number;
  /** When it was made, in milliseconds since 1970. */
  made_ms: number;
  /** Headers without those of one request: name, value, name, value, as `writeHead` takes them fastest. */
  headers: string[];
  body: Buffer;
  /** Compressed, once somebody asked for it. */
  zipped: { headers: string[]; body: Buffer } | null;
}

const zip = promisify(gzip);

/** Each answer has its own of these. */
const ofOneAnswer = /^(content-length|date|transfer-encoding|x-request-id|x-ratelimit-.*)$/;
const head_bytes = 700;

/** The answer that an API route gave to an anonymous request without Accept-Encoding. */
export function readyAnswer(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: Buffer,
  { tags, until, made_ms }: Pick<ReadyAnswer, 'tags' | 'until' | 'made_ms'>,
): ReadyAnswer {
  const kept = [...headers].filter(([name]) => !ofOneAnswer.test(name));
  const length = ['content-length', String(body.length)];
  return {
    ...{ status, tags, until, made_ms, body },
    headers: [...kept.flat(), ...(body.length > 0 ? length : [])],
    bytes: head_bytes + body.length,
    zipped: null,
  };
}

/** Whether clients that accept gzip get this answer compressed. */
export const isZippable = ({ body }: ReadyAnswer): boolean => body.length >= compressed_from_bytes;

/** The answer with its compressed form; its ETag is weak, as that of every compressed answer of the API. */
export async function withZipped(answer: ReadyAnswer): Promise<ReadyAnswer> {
  const body = ownBytes(await zip(answer.body));
  const changed: Record<string, (value: string) => string> = {
    vary: (value) => `${value}, Accept-Encoding`,
    etag: (value) => (value.startsWith('W/') ? value : `W/${value}`),
    'content-length': () => String(body.length),
  };
  const headers = answer.headers.map((text, index) => {
    const change = index % 2 === 1 ? changed[answer.headers[index - 1]!] : undefined;
    return change ? change(text) : text;
  });
  headers.push('content-encoding', 'gzip');
  return { ...answer, bytes: answer.bytes + head_bytes + body.length, zipped: { headers, body } };
}

/** Sends an answer with the headers `own` of this request. */
export function send(res: ServerResponse, answer: ReadyAnswer, isZipped: boolean, own: string[]): void {
  const { headers, body } = (isZipped && answer.zipped) || answer;
  res.writeHead(answer.status, headers.concat(own));
  res.end(body);
}

/** Sends an answer although the database is away, marked by the headers `own`: without an ETag, kept by no cache. */
export function sendSaved(res: ServerResponse, answer: ReadyAnswer, own: string[]): void {
  const kept = answer.headers.flatMap((text, index) =>
    index % 2 === 1 && !/^(etag|cache-control)$/.test(answer.headers[index - 1]!)
      ? [answer.headers[index - 1]!, text]
      : [],
  );
  res.writeHead(answer.status, [...kept, ...own]);
  res.end(answer.body);
}
