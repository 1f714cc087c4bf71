import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { UserError } from '../user-error.ts';
import { chunksOf, type LocalFile } from './publish-files.ts';

/** A refusal of the server: exit code 1. */
export class ServerRefusal extends UserError {
  readonly error: string;
  readonly status: number;

  constructor(status: number, error: string, description: string) {
    super(description, 1);
    this.status = status;
    this.error = error;
  }
}

export interface PublishApi {
  /** The answer, null for 404. Throws `ServerRefusal`, and a `UserError` with code 3 when there is no Cairn. */
  get(path: string): Promise<unknown>;
  /** Sends `data` and the files as they are read from the disk; `onSent` gets the bytes so far. */
  publish(data: object, files: readonly LocalFile[], onSent: (bytes: number) => void): Promise<unknown>;
}

const timeout_ms = 30_000;
/** How long a connection may be silent while it sends, or until the server has checked the files. */
const silence_ms = 300_000;
const max_answer_bytes = 16 * 1024 * 1024;

/** The API of the Cairn at `url`, as the owner of the token. */
export function publishApi(url: string, token: string): PublishApi {
  const headers = { authorization: token, 'user-agent': 'cairn-publish', accept: 'application/json' };
  const unreachable = (why: string) => new UserError(`${url} cannot be reached: ${why}`, 3);

  return {
    async get(path) {
      const response = await fetch(`${url}${path}`, {
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout_ms),
      }).catch((error: unknown) => {
        throw unreachable(causeOf(error));
      });
      if (response.status === 404) return null;
      const text = await response.text().catch((error: unknown) => {
        throw unreachable(causeOf(error));
      });
      return answerOf(url, response.status, text, response.headers.get('location'));
    },
    async publish(data, files, onSent) {
      const boundary = `cairn-${randomUUID()}`;
      const heads = files.map(({ filename }, index) => headOf(boundary, `file-${index}`, filename));
      const first = `--${boundary}\r\nContent-Disposition: form-data; name="data"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(data)}\r\n`;
      const end = `--${boundary}--\r\n`;
      const size =
        Buffer.byteLength(first + heads.join('') + end) + files.reduce((sum, file) => sum + file.size + 2, 0);
      async function* body() {
        yield Buffer.from(first);
        let read = 0;
        for (const [index, file] of files.entries()) {
          yield Buffer.from(heads[index]!);
          for await (const chunk of chunksOf(file.path, file.size)) {
            yield chunk;
            read += chunk.length;
            onSent(read);
          }
          yield Buffer.from('\r\n');
        }
        yield Buffer.from(end);
      }
      const answer = await sent(
        new URL(`${url}/v2/version`),
        { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': size },
        body(),
      ).catch((error: unknown) => {
        throw unreachable(causeOf(error));
      });
      return answerOf(url, answer.status, answer.text, answer.location);
    },
  };
}

const headOf = (boundary: string, part: string, filename: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${filename.replaceAll('"', '\\"')}"\r\nContent-Type: application/octet-stream\r\n\r\n`;

/**
 * Sends a body and reads the answer, also one that arrives before the whole body is sent. A piece is asked for when the one
 * before is on its way: they share their memory.
 */
async function sent(
  url: URL,
  headers: Record<string, string | number>,
  body: AsyncIterable<Buffer>,
): Promise<{ status: number; text: string; location: string | null }> {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { method: 'POST', headers });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    request.setTimeout(silence_ms, () => reject(new Error('the connection was silent for too long')));
  });
  try {
    for await (const chunk of body) {
      const written = new Promise<null>((done) => request.write(chunk, () => done(null)));
      if (await Promise.race([written, responded])) break;
    }
    request.end();
    const response = await responded;
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > max_answer_bytes) throw new Error('the answer is too long');
    }
    return { status: response.statusCode ?? 0, text, location: response.headers.location ?? null };
  } finally {
    request.destroy();
  }
}

function answerOf(url: string, status: number, text: string, location: string | null): unknown {
  if (status >= 300 && status < 400)
    throw new UserError(`${url} leads to ${plain(location ?? 'another address')}: use that as --url.`, 3);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new UserError(`${url} does not answer as a Cairn does (status ${status}).`, 3);
  }
  if (status < 300) return body;
  const { error, description } = (body ?? {}) as { error?: unknown; description?: unknown };
  throw new ServerRefusal(
    status,
    plain(String(error ?? status)),
    plain(String(description ?? `Status ${status}.`)),
  );
}

/** Texts of a server, without what would control a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');

const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  return plain(cause?.message || cause?.code || message || 'no connection');
};
