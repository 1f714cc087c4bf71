/**
 * JSON that is bytes already: a route that gives it is answered without another conversion. A `Response` would first become
 * a stream, which costs more than everything else for an answer of a hundred versions.
 */
export class ReadyJson {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Headers beside type and length. */
  readonly headers: Record<string, string>;

  constructor(bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
    this.bytes = bytes;
    this.headers = headers;
  }
}
