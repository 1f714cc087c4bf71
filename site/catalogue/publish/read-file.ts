import type { KnownGameVersion } from '#db/catalogue/manifests/manifest.ts';
import type { ManifestReading } from '#db/catalogue/manifests/read-manifests.ts';
import type { FileAnswer, FileQuestion } from './file-worker.ts';

/** What a file says about itself, or why it cannot be used. */
export type FileFindings =
  | { sha512: string; reading: ManifestReading | null }
  | { why: 'archive_unreadable' | 'gone' };

interface Reading {
  known: readonly KnownGameVersion[];
  /** Gets the bytes that are hashed so far. */
  onHashed(bytes: number): void;
  signal: AbortSignal;
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Hashes a file and reads its manifests in a worker, one file at a time: more would only share the same disk. Never settles
 * after `signal`.
 */
export function readFile(file: File, options: Reading): Promise<FileFindings> {
  const found = queue.then(() => inWorker(file, options));
  queue = Promise.race([found, aborted(options.signal)]).catch(() => undefined);
  return found;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function inWorker(file: File, { known, onHashed, signal }: Reading): Promise<FileFindings> {
  return new Promise((resolve) => {
    if (signal.aborted) return;
    const worker = new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
    const end = (found: FileFindings) => {
      worker.terminate();
      resolve(found);
    };
    signal.addEventListener('abort', () => worker.terminate(), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) => {
      if (data.type === 'hashed') onHashed(data.bytes);
      else if (data.type === 'read') end({ sha512: data.sha512, reading: data.reading });
      else end({ why: data.why });
    });
    worker.addEventListener('error', () => end({ why: 'gone' }));
    worker.postMessage({ file, known } satisfies FileQuestion);
  });
}
