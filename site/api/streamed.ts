import type { z } from 'zod';

/** Responses up to this size are sent whole, with Content-Length; longer ones in chunks of about this size. */
const chunk_bytes = 64 * 1024;
const encoder = new TextEncoder();

/** Answers a JSON array whose items, of `shape`, are fetched while they are sent. */
export const streamedArray = <S extends z.ZodType>(
  shape: S,
  items: AsyncIterable<z.input<S>>,
): Promise<Response> => streamed(arrayText(shape, items));

/** Answers a JSON object whose values, of `shape`, are fetched while they are sent; a key that repeats counts once. */
export const streamedRecord = <S extends z.ZodType>(
  shape: S,
  entries: AsyncIterable<[key: string, value: z.input<S>]>,
): Promise<Response> => streamed(recordText(shape, entries));

/** Answers a JSON object whose values are arrays: entries with the same key must follow each other. */
export const streamedLists = <S extends z.ZodType>(
  shape: S,
  entries: AsyncIterable<[key: string, item: z.input<S>]>,
): Promise<Response> => streamed(listsText(shape, entries));

/** A field of a streamed object: an array or object whose items are fetched while they are sent, or a value at hand. */
type Field = { shape: z.ZodType } & (
  | { items: AsyncIterable<unknown> }
  | { entries: AsyncIterable<[key: string, value: unknown]> }
  | { value: unknown }
);

/** Answers a JSON object with these fields by name. */
export const streamedFields = (fields: Record<string, Field>): Promise<Response> =>
  streamed(fieldsText(fields));

async function* arrayText(shape: z.ZodType, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before + textOf(shape, item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* recordText(
  shape: z.ZodType,
  entries: AsyncIterable<[string, unknown]>,
): AsyncGenerator<string> {
  const keys = new Set<string>();
  const text = writtenOnce(shape);
  for await (const [key, value] of entries) {
    if (keys.has(key)) continue;
    yield `${keys.size === 0 ? '{' : ','}${JSON.stringify(key)}:${text(value)}`;
    keys.add(key);
  }
  yield keys.size === 0 ? '{}' : '}';
}

async function* listsText(
  shape: z.ZodType,
  entries: AsyncIterable<[string, unknown]>,
): AsyncGenerator<string> {
  let last: string | null = null;
  const text = writtenOnce(shape);
  for await (const [key, item] of entries) {
    if (key === last) yield `,${text(item)}`;
    else yield `${last === null ? '{' : '],'}${JSON.stringify(key)}:[${text(item)}`;
    last = key;
  }
  yield last === null ? '{}' : ']}';
}

async function* fieldsText(fields: Record<string, Field>): AsyncGenerator<string> {
  let before = '{';
  for (const [name, field] of Object.entries(fields)) {
    yield `${before}${JSON.stringify(name)}:`;
    if ('items' in field) yield* arrayText(field.shape, field.items);
    else if ('entries' in field) yield* recordText(field.shape, field.entries);
    else yield textOf(field.shape, field.value);
    before = ',';
  }
  yield '}';
}

function textOf(shape: z.ZodType, value: unknown): string {
  if (process.env.NODE_ENV !== 'production') shape.parse(value);
  return JSON.stringify(value);
}

/** `textOf` that remembers: one version often answers many hashes. */
function writtenOnce(shape: z.ZodType): (item: unknown) => string {
  const texts = new WeakMap<object, string>();
  return (item) => {
    const text = texts.get(item as object) ?? textOf(shape, item);
    texts.set(item as object, text);
    return text;
  };
}

/**
 * Streams the texts as a response body, each produced when the client has room for it. An error before the first 64 KiB
 * is thrown, so that it becomes a regular error response; a later one cuts the connection.
 */
async function streamed(texts: AsyncGenerator<string>): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const start = await nextChunk(texts);
  if (start.done) {
    const length = String(Buffer.byteLength(start.text));
    return new Response(start.text, { headers: { ...headers, 'content-length': length } });
  }
  let ready: typeof start | null = start;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { text, done } = ready ?? (await nextChunk(texts));
        ready = null;
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (done) controller.close();
      },
      cancel: async () => void (await texts.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

async function nextChunk(texts: AsyncGenerator<string>): Promise<{ text: string; done: boolean }> {
  let text = '';
  while (text.length < chunk_bytes) {
    const next = await texts.next();
    if (next.done) return { text, done: true };
    text += next.value;
  }
  return { text, done: false };
}
