import { createHash } from 'node:crypto';
import type { FileEntry, FileQuery, QueryAnswer } from '../protocol/files.ts';

interface Upload {
  path: string;
  bytes: number | null;
  content: Buffer;
}
/** Arguments of any query, as far as they are used here. */
interface Args {
  path: string;
  paths: string[];
  folders: string[];
  from: number;
  limit: number;
  text: string;
  as: string;
  put: string;
  get: string;
  offset: number;
  length?: number;
  upload_id: string;
  bytes: number | null;
  on_conflict: string;
  if_etag?: string;
  content: string;
  part?: { from: number; bytes: number };
}

class Refusal extends Error {
  readonly data: Record<string, string | number>;
  constructor(code: string, data: Record<string, string | number> = {}) {
    super(code);
    this.data = data;
  }
}

/** Files of the server of a scripted agent, in memory; transfers are real requests to a plane. */
export class ScriptedFiles {
  /** The plane that transfers go to. */
  url: string;
  readonly files = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();
  /** Every query that was asked. */
  readonly asked: Array<{ query: FileQuery; args: Partial<Args> }> = [];
  /** A test's own answer; null goes on as usual. */
  before: (query: FileQuery, args: Partial<Args>) => Promise<QueryAnswer | null> = async () => null;
  /** The statuses of answers that planes gave to transfers. */
  readonly statuses: number[] = [];

  constructor(url: string) {
    this.url = url;
  }

  async answer(query: FileQuery, args: object): Promise<QueryAnswer> {
    this.asked.push({ query, args });
    const own = await this.before(query, args);
    if (own) return own;
    try {
      const handlers = this.#handlers as Partial<Record<FileQuery, (args: Args) => object | Promise<object>>>;
      const handler = handlers[query];
      if (!handler) throw new Refusal('operation_failed');
      return { ok: true, result: await handler(args as Args) };
    } catch (error) {
      const { data = {} } = error as Refusal;
      return { ok: false, error: error instanceof Refusal ? error.message : 'operation_failed', data };
    }
  }

  entryOf(path: string): FileEntry | null {
    const content = this.files.get(path);
    const isFolder = path === '' || [...this.files.keys()].some((one) => one.startsWith(`${path}/`));
    if (!content && !isFolder) return null;
    return {
      ...{ name: path.split('/').at(-1)!, type: content ? 'file' : 'directory', bytes: content?.length ?? 0 },
      ...{ modified: 1, created: 1, etag: content ? etagOf(content) : 'folder' },
    };
  }

  readonly #handlers = {
    list: ({ path, from, limit }: Args) => {
      const start = path === '' ? '' : `${path}/`;
      const inside = [...this.files.keys()].filter((one) => one.startsWith(start));
      const names = [...new Set(inside.map((one) => one.slice(start.length).split('/')[0]!))].sort();
      const entries = names.slice(from, from + limit).map((name) => this.entryOf(start + name));
      return { entries, total: names.length };
    },
    stat: ({ paths }: Args) => ({ entries: paths.map((path) => this.entryOf(path)) }),
    search: ({ text, limit }: Args) => {
      const found = [...this.files.keys()].filter((path) => path.includes(text)).slice(0, limit);
      return { found: found.map((path) => ({ path, type: 'file', line: null })), complete: true };
    },
    trash: () => ({ items: [], total: 0 }),
    read_text: ({ path, part }: Args) => {
      const content = this.files.get(path);
      if (!content) throw new Refusal('file_not_found', { path });
      const read = part ? content.subarray(part.from, part.from + part.bytes) : content;
      return { content: read.toString('base64'), etag: etagOf(content) };
    },
    write_text: ({ path, content, if_etag }: Args) => {
      const there = this.files.get(path);
      if (if_etag !== (there ? etagOf(there) : '')) throw new Refusal('file_changed', { path });
      const written = Buffer.from(content, 'base64');
      this.files.set(path, written);
      return { etag: etagOf(written) };
    },
    send: async ({ paths, as, offset = 0, length, put }: Args) => {
      const content = as === 'file' ? this.files.get(paths[0]!) : Buffer.from(`${as} of ${paths.join()}`);
      if (!content) throw new Refusal('file_not_found', { path: paths[0]! });
      const body = content.subarray(offset, length === undefined ? undefined : offset + length);
      const { status } = await fetch(`${this.url}${put}`, { method: 'PUT', body: new Uint8Array(body) });
      this.statuses.push(status);
      if (status !== 200) throw new Refusal('operation_failed');
      return { bytes: body.length };
    },
    upload_begin: ({ upload_id, path, bytes }: Args) => {
      const upload = this.uploads.get(upload_id) ?? { path, bytes, content: Buffer.alloc(0) };
      this.uploads.set(upload_id, upload);
      return { offset: upload.content.length };
    },
    upload_offset: ({ upload_id }: Args) => {
      const { content, bytes } = this.#upload(upload_id);
      return { offset: content.length, bytes };
    },
    upload_receive: async ({ upload_id, offset, get }: Args) => {
      const upload = this.#upload(upload_id);
      if (offset !== upload.content.length) throw new Refusal('upload_offset_wrong');
      const answer = await fetch(`${this.url}${get}`);
      this.statuses.push(answer.status);
      if (answer.status !== 200) throw new Refusal('operation_failed');
      try {
        for await (const chunk of answer.body!) upload.content = Buffer.concat([upload.content, chunk]);
      } catch {
        // cut off: what came stays
      }
      return { offset: upload.content.length };
    },
    upload_finish: ({ upload_id, if_etag, on_conflict }: Args) => {
      const { path, content } = this.#upload(upload_id);
      const there = this.files.get(path);
      if (if_etag !== undefined && if_etag !== (there ? etagOf(there) : ''))
        throw new Refusal('file_changed', { path });
      if (there && on_conflict === 'refuse' && if_etag === undefined)
        throw new Refusal('file_exists', { path });
      this.files.set(path, content);
      this.uploads.delete(upload_id);
      return { path, entry: this.entryOf(path) };
    },
    content_list: ({ folders }: Args) => {
      const files = [...this.files].filter(([path]) =>
        folders.includes(path.slice(0, path.lastIndexOf('/'))),
      );
      const listed = files.map(([path, content]) => ({
        ...{ path, bytes: content.length, modified: 1 },
        sha512: createHash('sha512').update(content).digest('hex'),
      }));
      const revision = createHash('sha256').update(JSON.stringify(listed)).digest('hex');
      return { files: listed, more: 0, revision };
    },
    upload_cancel: ({ upload_id }: Args) => {
      this.uploads.delete(upload_id);
      return {};
    },
  } satisfies Partial<Record<FileQuery, (args: Args) => object | Promise<object>>>;

  #upload(upload_id: string): Upload {
    const upload = this.uploads.get(upload_id);
    if (!upload) throw new Refusal('upload_not_found');
    return upload;
  }
}

const etagOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 16);
