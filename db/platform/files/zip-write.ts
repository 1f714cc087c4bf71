import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file or folder of a zip; the name of a folder ends with `/`. */
export interface ZipPart {
  name: string;
  /** Null for a folder. */
  content: Buffer | AsyncIterable<Buffer> | null;
  mtime: Date;
  /** Type and permissions, as `stat` tells them. */
  mode?: number;
  /** Of content that comes in pieces, where it is known. */
  size?: number;
}

/** The bytes of a zip of `parts`, each read when the one before it is written: only a piece of it is in memory. */
export async function* zipOf(parts: Iterable<ZipPart> | AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const reading: { now: Readable | null; ended: boolean } = { now: null, ended: false };
  const fail = (error: unknown): void => void output.destroy(error as Error);
  zip.on('error', fail);
  const fill = async (): Promise<void> => {
    for await (const { name, content, ...options } of parts) {
      if (reading.ended) return;
      if (content === null) zip.addEmptyDirectory(name, options);
      else if (Buffer.isBuffer(content)) zip.addBuffer(content, name, options);
      else {
        const stream = Readable.from(content, { objectMode: false });
        reading.now = stream;
        const read = new Promise<void>((go, stop) => stream.once('close', go).once('error', stop));
        zip.addReadStream(stream, name, options);
        await read;
      }
    }
    zip.end();
  };
  const filled = fill().catch(fail);
  try {
    yield* output;
  } finally {
    reading.ended = true;
    reading.now?.destroy();
    await filled;
  }
}
