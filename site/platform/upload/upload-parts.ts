import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Refused } from '#db/platform/errors.ts';
import { type MinimumRate, openBody } from './upload-body.ts';

export interface Part {
  name: string;
  filename: string | undefined;
  /** Must be read to its end; or throw. */
  chunks: AsyncIterable<Buffer>;
}

/**
 * Parses the request's multipart body and passes its parts to `take` one after the other, as they arrive; the body is
 * read only as fast as `take` reads its part. The first refusal ends it: the rest of the body is discarded within
 * bounds, so that the client receives the answer. Refuses `invalid_input` for a malformed form, and what `openBody`
 * refuses.
 */
export async function eachPart(
  request: Request,
  pace: MinimumRate,
  accept: (part: Part) => Promise<void>,
): Promise<void> {
  const parser = parserOf(request);
  const body = openBody(request, pace);
  const streams = new Set<Readable>();
  let failure: unknown;
  let queue = Promise.resolve();
  let wake = () => {};
  const until = (event: 'drain' | 'finish') =>
    new Promise<void>((resolve) => {
      wake = resolve;
      parser.once(event, resolve);
    });
  const fail = (error: unknown) => {
    failure ??= error;
    for (const stream of streams) stream.destroy();
    wake();
  };

  parser.on('error', () => fail(wrong(broken)));
  parser.on('partsLimit', () => fail(wrong('the form has too many parts')));
  parser.on('file', (name: string | undefined, stream: Readable, filename: string | undefined) => {
    streams.add(stream);
    stream.on('error', () => {}); // the parser reports the same error
    stream.once('close', () => streams.delete(stream));
    if (failure) return void stream.destroy();
    queue = queue
      .then(async () => {
        if (failure) return;
        if (!name) throw wrong('a part of the form has no name');
        await accept({ name, filename, chunks: stream });
      })
      .catch(fail);
  });

  try {
    for (let chunk = await body.read(); chunk && !failure; chunk = await body.read()) {
      if (!parser.write(chunk) && !failure) await until('drain');
    }
    if (!failure) {
      const finished = until('finish');
      parser.end();
      await finished;
    }
  } catch (error) {
    fail(error);
  }
  await queue;
  if (!failure) return;
  await body.drain();
  throw failure;
}

const wrong = (problem: string) => new Refused('invalid_input', { problem });

const broken =
  'the multipart body is malformed: it breaks off before its closing boundary, or its boundary is not the one of the content type';

/** OkHttp sends `multipart/mixed` by default; its parts have the same form. */
const accepted = /^multipart\/(?:form-data|mixed)(?=\s*;)/i;

function parserOf(request: Request): BusboyInstance {
  const type = request.headers.get('content-type') ?? '';
  if (!accepted.test(type)) {
    throw wrong(
      'the body must be multipart/form-data with a boundary: first the part data (JSON), then the files',
    );
  }
  try {
    return new Busboy({
      headers: { 'content-type': type.replace(accepted, 'multipart/form-data') } as BusboyHeaders,
      isPartAFile: () => true, // clients send `data` with and without a type or filename: every part is a stream
      preservePath: true, // a name with slashes is refused, not shortened
      limits: { parts: 1024, headerPairs: 32, headerSize: 16 * 1024 },
    });
  } catch {
    throw wrong('the content type multipart/form-data lacks a usable boundary');
  }
}
