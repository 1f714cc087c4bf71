import { aside } from '../runtime/aside.ts';
import type { ArchiveView } from './archive-view.ts';
import { indexOf, type MrpackIndex, type MrpackProblem, type WrittenIndex, writtenIndex } from './mrpack.ts';

/** Packs of five hundred files have an index of 300 KB; a longer one is read beside the thread that everybody shares. */
const quick_bytes = 512 * 1024;

const indexFar = aside<WrittenIndex, MrpackIndex | MrpackProblem>({
  module: new URL('./mrpack.ts', import.meta.url),
  name: 'indexOf',
  limit_ms: 5_000,
});

/** `readModpackIndex`, aside when the index is long; up to 5 s. Refuses as `aside` does, too. */
export async function readModpackIndexAside(
  archive: ArchiveView,
  hosts: readonly string[] | null,
): Promise<MrpackIndex | MrpackProblem | null> {
  const written = await writtenIndex(archive, hosts);
  if (!written || written.bytes.length <= quick_bytes) return written && indexOf(written);
  return await indexFar(written);
}
