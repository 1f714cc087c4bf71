/**
 * An open archive as far as its manifests need it. The server, `cairn publish` and browsers open archives differently;
 * what reads their content works on this.
 */
export interface ArchiveView {
  /** Names in archive order; folders end with a slash. */
  names: readonly string[];
  /**
   * The content of one entry, null when there is no entry of that name. Throws when it is damaged or longer than
   * `max_bytes`.
   */
  read(name: string, max_bytes: number): Promise<Uint8Array | null>;
}
