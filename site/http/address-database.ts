/** Reads databases of network addresses in the MaxMind DB format, version 2. Source: MaxMind DB 2.0. */

/** Looks up an address as bytes, 4 or 16 of them; undefined when the database says nothing about it. */
export type AddressLookup = (address: Uint8Array) => unknown;

const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
/** Nothing that we read is nested deeper; a broken file must not make us recurse. */
const max_depth = 16;
const separator = 16;

interface Metadata {
  binary_format_major_version: number;
  ip_version: number;
  node_count: number;
  record_size: number;
}

/** Opens the content of such a file. Throws when it is none. */
export function addressDatabase(file: Buffer): AddressLookup {
  const at = file.lastIndexOf(marker);
  if (at < 0) throw new Error('not a MaxMind DB');
  const about = decoder(file.subarray(at + marker.length))(0, 0).value as Metadata;
  const { node_count, record_size, ip_version } = about;
  const node_bytes = record_size / 4;
  if (about.binary_format_major_version !== 2 || ![24, 28, 32].includes(record_size))
    throw new Error('an unknown version of the format');
  const decode = decoder(file.subarray(node_count * node_bytes + separator, at));

  function next(node: number, bit: number): number {
    const start = node * node_bytes;
    if (record_size !== 28) return file.readUIntBE(start + (bit * record_size) / 8, record_size / 8);
    // the byte in the middle has the highest bits of both
    const middle = file[start + 3]!;
    return bit === 0
      ? ((middle & 0xf0) << 20) | file.readUIntBE(start, 3)
      : ((middle & 0x0f) << 24) | file.readUIntBE(start + 4, 3);
  }

  return (address) => {
    if (address.length === 16 && ip_version === 4) return undefined;
    // in a database of version 6, addresses of version 4 are in ::/96
    const bytes =
      address.length === 4 && ip_version === 6 ? [...new Uint8Array(12), ...address] : [...address];
    let node = 0;
    for (let bit = 0; bit < bytes.length * 8 && node < node_count; bit++)
      node = next(node, (bytes[bit >> 3]! >> (7 - (bit & 7))) & 1);
    return node > node_count ? decode(node - node_count - separator, 0).value : undefined;
  };
}

interface Decoded {
  value: unknown;
  /** Where the next value begins. */
  end: number;
}

const pointer_base = [0, 2048, 526_336, 0];

/** Decodes values of `data`: texts, numbers, lists and maps. */
function decoder(data: Buffer): (at: number, depth: number) => Decoded {
  return function decode(start, depth): Decoded {
    if (depth > max_depth) throw new Error('nested too deeply');
    const control = data.readUInt8(start);
    let at = start + 1;
    let type = control >> 5;
    if (type === 1) {
      const bytes = ((control >> 3) & 3) + 1;
      const high = bytes === 4 ? 0 : (control & 7) * 2 ** (8 * bytes);
      const to = high + data.readUIntBE(at, bytes) + pointer_base[bytes - 1]!;
      return { value: decode(to, depth + 1).value, end: at + bytes };
    }
    if (type === 0) type = data.readUInt8(at++) + 7;
    let size = control & 31;
    if (size > 28) {
      const bytes = size - 28;
      size = data.readUIntBE(at, bytes) + [29, 285, 65_821][bytes - 1]!;
      at += bytes;
    }
    if (type === 7 || type === 11) {
      const entries: Array<[string, unknown]> = [];
      const list: unknown[] = [];
      for (let count = 0; count < size; count++) {
        const first = decode(at, depth + 1);
        at = first.end;
        if (type === 11) list.push(first.value);
        else {
          const second = decode(at, depth + 1);
          at = second.end;
          entries.push([String(first.value), second.value]);
        }
      }
      return { value: type === 11 ? list : Object.fromEntries(entries), end: at };
    }
    if (type === 14) return { value: size !== 0, end: at };
    const end = at + size;
    if (end > data.length) throw new RangeError('a value beyond the end');
    if (type === 2) return { value: data.toString('utf8', at, end), end };
    if (type === 3) return { value: data.readDoubleBE(at), end };
    // whole numbers; larger ones than we need are left out
    return { value: size === 0 ? 0 : size <= 6 ? data.readUIntBE(at, size) : undefined, end };
  };
}
