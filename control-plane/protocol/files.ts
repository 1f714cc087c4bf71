import { z } from 'zod';
import { path_bytes } from '#db/hosting/servers/files/rules.ts';
import { contentQueries } from './content.ts';

/**
 * What the control plane asks an agent about the files of a server. Paths are relative to the server's folder, with `/`
 * between names; `''` is the folder itself. Bytes never travel here: an agent sends and fetches them by one-time addresses
 * of the control plane. Source: hosting §1e.
 */

/** Most entries of one page of a list, paths of one request, results of a search, and conflicts that are named. */
export const max_page_entries = 500;
const max_paths = 500;
const max_search_results = 200;
export const max_named_conflicts = 100;
export const max_unclear_names = 5;
/** What 32 bits of seconds can say, as SFTP has them. */
const max_modified = 0xffff_ffff * 1000;

const whole = z.int().min(0);
/** Text that Postgres can store as JSON: half of a surrogate pair it cannot. */
function text(most: number) {
  return z
    .string()
    .max(most)
    .refine((given) => given.isWellFormed(), 'must be valid Unicode');
}
/** Its syntax is checked by `parsePath` (db/hosting/servers/files/rules.ts), which says what is wrong. */
const path = text(path_bytes);
const paths = z.array(path).min(1).max(max_paths);
/** An address of the control plane, which works once: its path and query. */
const address = z.string().regex(/^\/\w[\w/]*(\?[\w=&.-]*)?$/);
const uploadId = z.uuid();

/** `other` are sockets, pipes and devices; links are shown and never followed. */
export const entryTypes = ['file', 'directory', 'link', 'other'] as const;

const fileEntry = z.strictObject({
  name: z.string(),
  type: z.enum(entryTypes),
  bytes: whole,
  /** Milliseconds since 1970. */
  modified: z.number(),
  created: z.number(),
  /** Changes whenever the file's content is replaced. */
  etag: z.string(),
});
export type FileEntry = z.output<typeof fileEntry>;

/** What becomes of a file when there is one already: `refuse` names it, `rename` keeps both. */
export const conflictChoices = ['refuse', 'replace', 'skip', 'rename'] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

export const fileSorts = ['name', 'bytes', 'modified', 'created'] as const;

/** Requests that may be repeated: they change nothing, or say exactly at which byte they go on. */
export const fileQueries = {
  /** One page of a folder; folders first. */
  list: {
    input: z.object({
      path,
      sort: z.enum(fileSorts).default('name'),
      descending: z.boolean().default(false),
      show: z.enum(['all', 'files', 'directories']).default('all'),
      from: whole.default(0),
      limit: z.int().min(1).max(max_page_entries).default(100),
    }),
    /** `complete`: it has no more entries than an agent looks at. Older agents look at all. */
    output: z.strictObject({
      entries: z.array(fileEntry),
      total: whole,
      complete: z.boolean().default(true),
    }),
  },
  /** Each path's entry, null where there is none. */
  stat: {
    input: z.object({ paths }),
    output: z.strictObject({ entries: z.array(fileEntry.nullable()) }),
  },
  /** Names or lines below `path` that contain `text`, in any case. `complete`: everything was looked at. */
  search: {
    input: z.object({
      path,
      text: text(200).min(1),
      in: z.enum(['names', 'contents']),
      limit: z.int().min(1).max(max_search_results).default(100),
    }),
    output: z.strictObject({
      found: z.array(
        z.strictObject({
          path: z.string(),
          type: z.enum(entryTypes),
          /** Number and text of the line, cut to 300 characters. */
          line: z.strictObject({ number: z.int().positive(), text: z.string() }).nullable(),
        }),
      ),
      complete: z.boolean(),
    }),
  },
  /** Deleted files that can be restored, newest first. */
  trash: {
    input: z.object({ from: whole.default(0), limit: z.int().min(1).max(max_page_entries).default(100) }),
    output: z.strictObject({
      items: z.array(
        z.strictObject({
          trash_id: z.string(),
          path: z.string(),
          type: z.enum(entryTypes),
          bytes: whole,
          deleted: z.number(),
          /** When it is removed for good. */
          expires: z.number(),
        }),
      ),
      total: whole,
    }),
  },
  /** What unpacking an archive into a folder would do; nothing is written. */
  unpack_plan: {
    input: z.object({ path, into: path }),
    output: z.strictObject({
      files: whole,
      bytes: whole,
      /** Paths of files that exist already, the first of them. */
      conflicts: z.array(z.string()).max(max_named_conflicts),
      more_conflicts: whole,
      /** Files whose names the archive does not say how to read, and the first of them as they will be. */
      unclear: whole.default(0),
      unclear_names: z.array(z.string()).max(max_unclear_names).default([]),
    }),
  },
  /**
   * Sends a file from byte `offset` on, or a folder (or several paths) as `tar.zst` or `zip`, by PUT to an address. Answers
   * after the last byte was taken. A file has its length, and its etag as `x-file-etag`, in the headers.
   */
  send: {
    input: z.object({
      paths,
      as: z.enum(['file', 'zip', 'tar.zst']),
      offset: whole.default(0),
      length: whole.optional(),
      put: address,
    }),
    output: z.strictObject({ bytes: whole }),
  },
  /**
   * Begins an upload and reserves its bytes on the disk; the same `upload_id` twice is one. Without a size it is reserved as
   * it grows (SFTP).
   */
  upload_begin: {
    input: z.object({ upload_id: uploadId, path, bytes: whole.nullable() }),
    output: z.strictObject({ offset: whole }),
  },
  /** How many bytes of an upload are stored. Refuses `upload_not_found`. */
  upload_offset: {
    input: z.object({ upload_id: uploadId }),
    output: z.strictObject({ offset: whole, bytes: whole.nullable() }),
  },
  /**
   * Fetches bytes from `get` and appends them at `offset`. Answers how far the upload is after that, which is less than was
   * offered when the line broke. A newer request for the same upload ends an older one. Refuses `upload_offset_wrong` (its
   * data says the `offset` to go on at), `upload_incomplete` when nothing arrived, `disk_full`.
   */
  upload_receive: {
    input: z.object({ upload_id: uploadId, offset: whole, get: address }),
    output: z.strictObject({ offset: whole }),
  },
  /**
   * Moves a complete upload to its place. With `if_etag` only over the file that has it: `file_changed` otherwise; `''` means
   * that there is none. Gives where it is; `entry` is null when it was skipped. Repeated within an hour it says the same.
   */
  upload_finish: {
    input: z.object({
      upload_id: uploadId,
      on_conflict: z.enum(conflictChoices),
      if_etag: z.string().max(100).optional(),
    }),
    output: z.strictObject({ path: z.string(), entry: fileEntry.nullable() }),
  },
  /** Sets when a file, folder or link was changed last; the server's own folder too. */
  set_modified: {
    /** Milliseconds since 1970. */
    input: z.object({ path, modified: z.number().min(0).max(max_modified) }),
    output: z.strictObject({}),
  },
  upload_cancel: { input: z.object({ upload_id: uploadId }), output: z.strictObject({}) },
  ...contentQueries,
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;
export type FileQuery = keyof typeof fileQueries;

const pairs = z
  .array(z.object({ from: path, to: path }))
  .min(1)
  .max(max_paths);

/** Operations on files: each runs at most once. Those on several paths do all of them or say which one failed. */
export const fileOperations = {
  file_create: {
    input: z.object({ path, type: z.enum(['file', 'directory']) }),
    output: z.object({}),
  },
  file_move: {
    input: z.object({ moves: pairs, on_conflict: z.enum(conflictChoices).default('refuse') }),
    /** Where everything is now, in the order of `moves`; null for what was skipped. */
    output: z.object({ paths: z.array(z.string().nullable()) }),
  },
  file_copy: {
    input: z.object({ copies: pairs, on_conflict: z.enum(conflictChoices).default('refuse') }),
    output: z.object({ paths: z.array(z.string().nullable()) }),
  },
  /** Into the trash. */
  file_delete: {
    input: z.object({ paths }),
    output: z.object({ trash: z.array(z.object({ trash_id: z.string(), path: z.string() })) }),
  },
  /** Out of the trash to where it was; with a number behind its name when there is something else by now. */
  file_restore: {
    input: z.object({ trash_ids: z.array(text(100)).min(1).max(max_paths) }),
    output: z.object({ paths: z.array(z.string()) }),
  },
  /** Removes what is in the trash for good; everything when `trash_ids` is null. */
  file_purge: {
    input: z.object({ trash_ids: z.array(text(100)).max(max_paths).nullable() }),
    output: z.object({ items: whole, bytes: whole }),
  },
  /** Moves all files of a server into the trash, before another loader. */
  file_erase: {
    input: z.object({ erase_id: z.uuid() }),
    output: z.object({ items: whole }),
  },
  /**
   * Brings them back, beside what is there by now. Refuses `change_not_undoable` when some of `items` are gone; null: as many as
   * there are.
   */
  file_unerase: {
    input: z.object({ erase_id: z.uuid(), items: whole.nullable() }),
    output: z.object({ items: whole }),
  },
  file_unpack: {
    input: z.object({ path, into: path, on_conflict: z.enum(['replace', 'skip', 'rename']) }),
    output: z.object({ files: whole, skipped: whole, bytes: whole }),
  },
  /** Fetches a public address into a file. */
  file_fetch: {
    input: z.object({
      url: text(2_000),
      path,
      on_conflict: z.enum(conflictChoices).default('refuse'),
    }),
    output: z.object({ path: z.string(), bytes: whole }),
  },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;

/** Those above, and what ends one of them. */
export const agentFileOperations = {
  ...fileOperations,
  /** Ends the operation of this id when it waits or runs: what it has not moved to its place yet is removed. */
  file_cancel: { input: z.object({ op_id: z.uuid() }), output: z.object({ was_running: z.boolean() }) },
} as const;

/** The result of a query, or a refusal with a code of `db/platform/errors.ts` and its data. `stale` is a query under an older lease. */
export type QueryAnswer =
  | { ok: true; result: object }
  | { ok: false; error: string; data: Record<string, string | number> };

/** How far an operation is: `done` of `total` bytes or files; `total` is null while it is not known. */
export const operationProgress = z.object({
  lease: whole,
  server_id: z.string().regex(/^[0-9A-Za-z]{1,11}$/),
  op_id: z.uuid(),
  done: whole,
  total: whole.nullable(),
});
