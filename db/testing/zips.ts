import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { ByteSource } from '../platform/storage/storage.ts';

/** A valid archive for tests: name -> content; names that end with a slash are folders. */
export async function zipOf(
  entries: Record<string, string | Buffer>,
  options: { zip64?: boolean; store?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else
      zip.addBuffer(Buffer.from(content), name, {
        mtime: new Date('2024-01-01T00:00:00Z'), // the same bytes every time
        compress: !options.store,
        forceZip64Format: options.zip64 ?? false,
      });
  }
  zip.end({ forceZip64Format: options.zip64 ?? false, comment: '' });
  return await buffer(zip.outputStream);
}

/** One entry of a forged archive; omitted fields are correct. */
export interface Forged {
  name: string;
  content?: string | Buffer;
  /** The packed data, when it differs from the packed content. */
  data?: Buffer;
  method?: number;
  flags?: number;
  crc?: number;
  /** Sizes that the archive declares. */
  size?: number;
  packed?: number;
  /** Index of the entry whose local header and data this one claims. */
  shares?: number;
}

/** A hand-made archive that may be inconsistent. `count`: number of entries that its end record declares. */
export function forgedZip(entries: Forged[], { count = entries.length }: { count?: number } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const entry of entries) {
    const { name, content = 'content', method = 8, flags = 0x800 } = entry;
    const bytes = Buffer.from(content);
    const data = entry.data ?? (method === 8 ? deflateRawSync(bytes) : bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(entry.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(entry.packed ?? data.length, 14);
    fields.writeUInt32LE(entry.size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const offset = entry.shares === undefined ? at : offsets[entry.shares]!;
    offsets.push(offset);
    if (entry.shares === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), data]);
      parts.push(local);
      at += local.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, Buffer.from(name));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

/** In-memory bytes as input of the inspection. */
export const sourceOf = (bytes: Buffer): ByteSource => ({
  open: async () => ({
    size: bytes.length,
    readAt: async (position, length) => bytes.subarray(position, position + length),
    close: async () => {},
  }),
});
