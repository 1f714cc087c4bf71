import { z } from 'zod';
import { path_bytes } from '#db/hosting/servers/files/rules.ts';

/**
 * What the control plane asks an agent about the content of a server: mods, plugins and data packs, which are files. What
 * they are is known to the catalogue, by their hashes. Source: hosting §1b, §5.
 */

/** Most files that are listed, and that one change adds, moves or removes. */
export const max_content_files = 2_000;
const max_changed_files = 1_000;
/** Most bytes of a file that is read and written as text, such as `server.properties`. */
export const max_text_bytes = 256 * 1024;

const whole = z.int().min(0);
const path = z.string().min(1).max(path_bytes);
const sha512 = z.string().regex(/^[0-9a-f]{128}$/);
/** An address of the control plane: its path and query. */
const address = z.string().regex(/^\/\w[\w/]*(\?[\w=&.-]*)?$/);

const contentFile = z.strictObject({
  path: z.string(),
  bytes: whole,
  /** Milliseconds since 1970. */
  modified: z.number(),
  sha512,
});
export type ContentFile = z.output<typeof contentFile>;

/** Queries beside those of `files.ts`: they may be repeated. */
export const contentQueries = {
  /**
   * The files directly in these folders with their hashes, which are remembered while a file does not change. `revision`
   * changes whenever one of them does. A folder that does not exist is empty.
   */
  content_list: {
    input: z.object({ folders: z.array(path).min(1).max(8) }),
    output: z.strictObject({
      files: z.array(contentFile).max(max_content_files),
      /** There are more files than are listed. */
      more: whole,
      revision: z.string(),
    }),
  },
  /**
   * A small file in base64, or a `part` of any file: as many bytes from there on as it has. Refuses `file_not_found`,
   * `file_is_directory`, `file_not_regular`, `server_file_too_large`.
   */
  read_text: {
    input: z.object({
      path,
      part: z.object({ from: whole, bytes: z.int().min(1).max(max_text_bytes) }).optional(),
    }),
    output: z.strictObject({ content: z.base64(), etag: z.string() }),
  },
  /**
   * Replaces a small file as a whole, or creates it. With `if_etag` only the file that has it: `file_changed` otherwise; `''`
   * means that there is none.
   */
  write_text: {
    input: z.object({
      path,
      content: z.base64().max(Math.ceil(max_text_bytes / 3) * 4 + 4),
      if_etag: z.string().max(100),
    }),
    output: z.strictObject({ etag: z.string() }),
  },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;

const changed = z.object({
  added: whole,
  removed: whole,
  moved: whole,
  /** Of the folders of content, after the change. */
  revision: z.string(),
});

/** Operations on content: all of it happens, or nothing. */
export const contentOperations = {
  /**
   * Changes files all at once. Everything is fetched and checked beside them first; then what is replaced, moved and removed
   * is kept, so that `content_undo` brings it back, also after the agent was killed in the middle. Refuses
   * `content_changed` when `revision` is another one by now, `content_download_failed`, `content_hash_wrong`, `disk_full`,
   * `change_canceled`, `server_busy` during another one, and what is wrong with a path or an archive (`file_path_invalid`,
   * `file_is_directory`, `file_not_found`, `server_archive_unreadable`, `archive_too_large`).
   */
  content_apply: {
    input: z.object({
      /** Folders that `revision` is about. */
      folders: z.array(path).min(1).max(8),
      /** null: whatever is there now. */
      revision: z.string().max(200).nullable(),
      /** `GET <get>&file=<sha512>` at the control plane gives one file; null when nothing is added from there. */
      get: address.nullable(),
      add: z
        .array(
          z.object({
            path,
            sha512,
            bytes: whole,
            /** Public addresses to fetch it from instead, in order; for files that the catalogue does not have. */
            urls: z.array(z.string().max(2_000)).max(5).default([]),
          }),
        )
        .max(max_changed_files),
      /** A zip whose `folders`, in order, are unpacked over the server's files after `add`. */
      archive: z
        .object({ sha512, bytes: whole, folders: z.array(z.string().max(100)).min(1).max(4) })
        .nullable(),
      move: z.array(z.object({ from: path, to: path })).max(max_changed_files),
      remove: z.array(path).max(max_changed_files),
    }),
    output: changed,
  },
  /**
   * Takes a change back: what it added is removed, what it replaced, moved and removed is where it was. Only the newest one
   * that was not taken back. Refuses `change_not_undoable` when it is unknown, older or expired.
   */
  content_undo: {
    input: z.object({ folders: z.array(path).min(1).max(8), change_id: z.uuid() }),
    output: changed,
  },
  /** Cancels the `content_apply` of this id: it fails with `change_canceled`. False once files are being exchanged. */
  content_cancel: {
    input: z.object({ op_id: z.uuid() }),
    output: z.object({ was_running: z.boolean() }),
  },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodObject }>;
