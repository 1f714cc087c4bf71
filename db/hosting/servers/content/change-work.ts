/** What a change of content or loader does, as it is stored. */

/** Game version and loader of a server; `loader_version` null is the newest one. */
export interface LoaderSpec {
  game_version: string;
  loader: string | null;
  loader_version: string | null;
}

/** Arguments of the operation `content_apply`; `get` is added when the change gets there. */
export interface ContentInput {
  folders: string[];
  revision: string | null;
  add: { path: string; sha512: string; bytes: number; urls: string[] }[];
  archive: { sha512: string; bytes: number; folders: string[] } | null;
  move: { from: string; to: string }[];
  remove: string[];
}

/** A modpack with the files that it brought: path -> sha512. */
export interface PackFiles {
  project_id: string;
  version_id: string;
  files: Record<string, string>;
}

/** What a change does. Once it has ended, `content` has only its folders, and `files` is empty. */
export interface ChangeWork {
  spec: LoaderSpec | null;
  content: ContentInput | { folders: string[] } | null;
  /** sha512 -> key of the storage. */
  files: Record<string, string>;
  pack: PackFiles | null;
  erase: boolean;
  backup: boolean;
  /** The server has to be stopped for it. */
  stops: boolean;
}

/** What the server was before; `pack` is there when the change replaces or removes it. */
export interface Before {
  spec: LoaderSpec & { java: number | null };
  pack?: (PackFiles & { installed: string; change_id: string | null }) | null;
}
