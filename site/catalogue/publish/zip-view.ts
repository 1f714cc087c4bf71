import type { ArchiveView } from '#db/platform/files/archive-view.ts';

/**
 * Reads a zip archive of the user's disk by its directory, which lies at its end: no byte of the other entries is read.
 * What it finds only fills a form; the server opens the whole archive with strict checks (`db/platform/files/zip.ts`).
 */

/** Longest directory that is read, in bytes, and most names: more is nothing that a form waits for. */
const max_directory = 32 * 1024 * 1024;
const max_entries = 65_535;

interface Entry {
  deflated: boolean;
  packed: number;
  offset: number;
}

/** The archive; null when it is none. */
export async function zipView(file: Blob): Promise<ArchiveView | null> {
  const tail_at = Math.max(0, file.size - 65_557);
  const tail = await bytesOf(file, tail_at, file.size);
  const end = endOf(tail);
  if (!end || end.at + end.size > file.size || end.size > max_directory) return null;
  const entries = entriesOf(await bytesOf(file, end.at, end.at + end.size), end.count);
  if (!entries) return null;
  return {
    names: [...entries.keys()],
    read: async (name, max_bytes) => {
      const entry = entries.get(name);
      return entry ? await contentOf(file, entry, max_bytes) : null;
    },
  };
}

const bytesOf = async (file: Blob, from: number, to: number): Promise<DataView> =>
  new DataView(await file.slice(from, to).arrayBuffer());

/** Where the directory is, by the record at the end, which may be followed by a comment. */
function endOf(tail: DataView): { at: number; size: number; count: number } | null {
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) !== 0x06054b50) continue;
    const count = tail.getUint16(at + 10, true);
    const size = tail.getUint32(at + 12, true);
    const start = tail.getUint32(at + 16, true);
    return start === 0xffffffff || count > max_entries ? null : { at: start, size, count };
  }
  return null;
}

function entriesOf(directory: DataView, count: number): Map<string, Entry> | null {
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  for (let at = 0, left = count; left > 0; left--) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== 0x02014b50) return null;
    const [name_bytes, extra, comment] = [28, 30, 32].map((place) => directory.getUint16(at + place, true));
    if (at + 46 + name_bytes! > directory.byteLength) return null;
    const name = decoder.decode(new Uint8Array(directory.buffer, at + 46, name_bytes));
    if (!entries.has(name))
      entries.set(name, {
        deflated: directory.getUint16(at + 10, true) === 8,
        packed: directory.getUint32(at + 20, true),
        offset: directory.getUint32(at + 42, true),
      });
    at += 46 + name_bytes! + extra! + comment!;
  }
  return entries;
}

async function contentOf(
  file: Blob,
  { deflated, packed, offset }: Entry,
  max_bytes: number,
): Promise<Uint8Array> {
  const header = await bytesOf(file, offset, offset + 30);
  if (header.byteLength < 30 || header.getUint32(0, true) !== 0x04034b50 || packed > 2 * max_bytes)
    throw new Error('the entry is damaged or too large');
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const stored = file.slice(start, start + packed);
  const content: ReadableStream<Uint8Array> = deflated
    ? stored.stream().pipeThrough(new DecompressionStream('deflate-raw'))
    : stored.stream();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // an archive may promise little and unpack to much
  for (const reader = content.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > max_bytes) {
      await reader.cancel();
      throw new Error('the entry is too large');
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}
