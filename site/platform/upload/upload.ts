import { createHash } from 'node:crypto';
import { Refused } from '#db/platform/errors.ts';
import { quotaReached, type UploadQuota } from '#db/platform/files/quota.ts';
import {
  extensionOf,
  fileExtensions,
  imageBytes,
  imageExtensions,
  isImageExtension,
  isPlainName,
  whyNotName,
} from '#db/platform/files/rules.ts';
import type { StagedFile, Storage } from '#db/platform/storage/storage.ts';
import type { AppServices } from '../context.ts';
import { boundedJson } from './bounded-body.ts';
import { type MinimumRate, openBody } from './upload-body.ts';
import { eachPart, type Part } from './upload-parts.ts';

/** A version's file, a project's icon or a gallery image: each has its own limit and names. */
type PartKind = 'file' | 'icon' | 'gallery';

export interface ReceivedFile {
  part: string;
  kind: PartKind;
  filename: string;
  /** The bytes, until `discard` removes them. */
  content: StagedFile;
  size: number;
  sha1: string;
  sha512: string;
}

export interface Received {
  data: unknown;
  files: ReceivedFile[];
  /** Removes the staged files; call it always, in `finally`. */
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  /** Maximum number of parts besides `data`; 256 by default (file_parts of api-v2 §5.1). */
  max_files?: number;
  /** Called with the parsed `data` before any file is read: parse, check permissions, refuse early. */
  onData?(data: unknown): Promise<void> | void;
  /** The kind of a part by its name; null refuses an undeclared part. By default every part is a file. */
  kind?(part: string, data: unknown): PartKind | null;
  /** How much the caller's account may still upload today. */
  quota?: UploadQuota;
  /** Maximum size of all files together. */
  max_total_bytes?: number;
  /** The window over which the client's rate is measured, in milliseconds. */
  window_ms?: MinimumRate['window_ms'];
}

const dataBytes = 2 * 1024 * 1024;
const default_max_total_bytes = 2 * 1024 ** 3;

/**
 * Reads a multipart body: first the part `data` (JSON, at most 2 MiB), then files, which are hashed and streamed into
 * the storage. Memory stays constant, the client must send at least UPLOAD_MIN_BYTES_PER_SECOND, and a failure leaves
 * nothing behind. Refuses `invalid_input`, `file_name_invalid`, `file_type_unsupported`, `file_too_large`,
 * `icon_too_large`, `gallery_image_too_large`, `body_too_large`, `upload_incomplete`, `upload_too_slow`,
 * `storage_full`, `upload_quota_reached`. Source: api-v2 §4.1, §5.1; api-v3 §9.1; design §4.2.
 */
export async function receive(
  request: Request,
  services: Pick<AppServices, 'settings' | 'storage'>,
  options: ReceiveOptions = {},
): Promise<Received> {
  const { settings, storage } = services;
  const { max_files = 256, onData, kind = () => 'file' as const, quota } = options;
  const max_total_bytes = options.max_total_bytes ?? default_max_total_bytes;
  const files: ReceivedFile[] = [];
  const discard = async () => {
    await Promise.all(files.map(({ content }) => content.discard()));
  };
  const names = new Set<string>();
  let data: unknown;
  let total_bytes = 0;

  /** Counts received bytes; throws at the first one beyond the limit of the request or the account. */
  const count = (bytes: number) => {
    total_bytes += bytes;
    if (total_bytes > max_total_bytes) throw new Refused('body_too_large', { limit_bytes: max_total_bytes });
    if (quota && total_bytes > quota.left_bytes) throw quotaReached(quota.limit_bytes, new Date());
  };

  const accept = async (part: Part): Promise<void> => {
    if (names.has(part.name)) throw wrong(`the part ${part.name} comes twice: give every part its own name`);
    names.add(part.name);
    if (names.size === 1) {
      if (part.name !== 'data') throw wrong('the first part of the form must be named data and hold JSON');
      data = await readJson(part.chunks);
      await onData?.(data);
      return;
    }
    if (files.length === max_files) throw wrong(`at most ${max_files} files can be sent at once`);
    const partKind = kind(part.name, data);
    if (!partKind) throw wrong(`the part ${part.name} is not named in data: list it there or leave it out`);
    const filename = checkedName(part, partKind);
    const limit = partKind === 'file' ? settings.MAX_FILE_BYTES : imageBytes[partKind];
    const stored = await store(storage, part.chunks, count, (size) => {
      if (size > limit) throw tooLarge(partKind, filename, limit);
    });
    files.push({ part: part.name, kind: partKind, filename, ...stored });
  };

  try {
    await eachPart(
      request,
      { bytes_per_second: settings.UPLOAD_MIN_BYTES_PER_SECOND, window_ms: options.window_ms },
      accept,
    );
    if (names.size === 0) throw wrong('the form is empty: its first part must be named data and hold JSON');
    return { data, files, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/**
 * A raw image body of at most `max_bytes`; `ext` is the query parameter that names its type. Refuses `invalid_input`
 * (unknown extension), `invalid_image` (empty body), `icon_too_large`, `gallery_image_too_large`, `upload_incomplete`,
 * `upload_too_slow`. Source: api-v2 §1.7, §1.8.
 */
export async function receiveImage(
  request: Request,
  { settings }: Pick<AppServices, 'settings'>,
  max_bytes: number,
  ext: string | undefined,
): Promise<Buffer> {
  if (!isImageExtension((ext ?? '').toLowerCase())) throw wrong(`ext must be one of ${pictures}`);
  const body = openBody(request, { bytes_per_second: settings.UPLOAD_MIN_BYTES_PER_SECOND });
  const chunks: Buffer[] = [];
  let size = 0;
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    size += chunk.length;
    if (size > max_bytes) {
      await body.drain();
      throw tooLarge(max_bytes === imageBytes.gallery ? 'gallery' : 'icon', '', max_bytes);
    }
    chunks.push(chunk);
  }
  if (size === 0)
    throw new Refused('invalid_image', { problem: 'the body is empty: send the bytes of the image' });
  return Buffer.concat(chunks);
}

const pictures = Object.keys(imageExtensions).join(', ');
const wrong = (problem: string) => new Refused('invalid_input', { problem });

/**
 * Stages a file that the server made itself, with its hashes, as `receive` stages what arrives. Refuses `file_too_large`
 * beyond MAX_FILE_BYTES, and `storage_full`.
 */
export const stageMadeFile = async (
  { settings, storage }: Pick<AppServices, 'settings' | 'storage'>,
  filename: string,
  chunks: AsyncIterable<Buffer>,
) =>
  await store(
    storage,
    chunks,
    () => {},
    (size) => {
      if (size > settings.MAX_FILE_BYTES) throw tooLarge('file', filename, settings.MAX_FILE_BYTES);
    },
  );

const tooLarge = (kind: PartKind, filename: string, limit_bytes: number) => {
  const limit =
    limit_bytes >= 1024 * 1024
      ? `${Math.floor(limit_bytes / 1024 / 1024)}MiB`
      : `${Math.floor(limit_bytes / 1024)}KiB`;
  const code = {
    file: 'file_too_large',
    icon: 'icon_too_large',
    gallery: 'gallery_image_too_large',
  } as const;
  return new Refused(code[kind], { filename, limit, limit_bytes });
};

function checkedName({ name, filename }: Part, kind: PartKind): string {
  if (filename === undefined) throw wrong(`the part ${name} must be a file with a filename`);
  if (kind !== 'file') {
    if (isPlainName(filename) && isImageExtension(extensionOf(filename))) return filename;
    throw wrong(`the part ${name} must be a picture whose filename ends with ${pictures}`);
  }
  const code = whyNotName(filename);
  if (code) throw new Refused(code, { filename, extensions: Object.keys(fileExtensions).join(', ') });
  return filename;
}

async function readJson(stream: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > dataBytes) throw new Refused('body_too_large', { limit_bytes: dataBytes });
    chunks.push(chunk);
  }
  return boundedJson(textOf(Buffer.concat(chunks)), 'the part data');
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong('the part data is not text in UTF-8');
  }
}

/** Stages the stream while hashing it; `count` and `assertSize` throw at the first byte beyond their limit. */
async function store(
  storage: Pick<Storage, 'stage'>,
  stream: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
  assertSize: (size: number) => void,
) {
  const sha1 = createHash('sha1');
  const sha512 = createHash('sha512');
  const hashed = async function* () {
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      assertSize(size);
      count(chunk.length);
      sha1.update(chunk);
      sha512.update(chunk);
      yield chunk;
    }
  };
  const content = await storage.stage(hashed());
  return { content, size: content.size, sha1: sha1.digest('hex'), sha512: sha512.digest('hex') };
}
