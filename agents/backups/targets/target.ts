/** A place where files of backups are. Errors are `BackupError`s. */
export interface BackupTarget {
  /**
   * Stores a file completely or not at all, and checks that all of it is there. Throws what `content` throws, and
   * `backup_target_failed`.
   */
  put(server_id: string, name: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /** Throws `backup_not_found`, and `backup_target_failed` when it ends early or stalls. */
  get(server_id: string, name: string, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Removes a file and what is left of one that was not finished. */
  remove(server_id: string, name: string): Promise<void>;
  /** A target on this machine: programs write and read there themselves, which is faster. */
  local?: LocalFiles;
}

export interface LocalFiles {
  /** Where a file is written before it is complete. */
  part(server_id: string, name: string): Promise<string>;
  /** Gives a complete file its name. */
  publish(server_id: string, name: string): Promise<void>;
  /** Throws `backup_not_found`. */
  find(server_id: string, name: string): Promise<string>;
}
