import { createSHA512 } from 'hash-wasm';
import type { KnownGameVersion } from '#db/catalogue/manifests/manifest.ts';
import { type ManifestReading, readManifests } from '#db/catalogue/manifests/read-manifests.ts';
import { archives, extensionOf } from '#db/platform/files/rules.ts';
import { zipView } from './zip-view.ts';

/** What the page asks this worker: hash a file and read its manifests. One worker reads one file. */
export interface FileQuestion {
  file: File;
  known: readonly KnownGameVersion[];
}
/** What it answers: how far it is, then what it found; `reading` is null for files that are no archives. */
export type FileAnswer =
  | { type: 'hashed'; bytes: number }
  | { type: 'read'; sha512: string; reading: ManifestReading | null }
  | { type: 'failed'; why: 'archive_unreadable' | 'gone' };

const every_bytes = 8 * 1024 * 1024;
const say = (answer: FileAnswer) => postMessage(answer);

addEventListener('message', ({ data }: MessageEvent<FileQuestion>) => {
  void answer(data).catch(() => say({ type: 'failed', why: 'gone' }));
});

async function answer({ file, known }: FileQuestion): Promise<void> {
  let reading: ManifestReading | null = null;
  if (archives.includes(extensionOf(file.name))) {
    const archive = await zipView(file);
    if (!archive) return say({ type: 'failed', why: 'archive_unreadable' });
    reading = await readManifests(archive, known);
  }
  say({ type: 'read', sha512: await sha512Of(file), reading });
}

/** `crypto.subtle` hashes only what is in memory as a whole: the library takes the file piece by piece. */
async function sha512Of(file: File): Promise<string> {
  const hash = await createSHA512();
  let bytes = 0;
  let said = 0;
  for (const reader = file.stream().getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return hash.digest();
    hash.update(value);
    bytes += value.length;
    if (bytes < said + every_bytes) continue;
    said = bytes;
    say({ type: 'hashed', bytes });
  }
}
