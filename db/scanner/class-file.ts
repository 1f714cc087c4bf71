/**
 * Reads class files as far as the scanner needs them: constants, and the code of methods. It never trusts a length and
 * never follows a constant more than once, so that a hostile file costs no more than its size. The format is described in
 * chapter 4 of the specification of the Java virtual machine.
 */

/** A class file that is damaged, or of a format that is unknown. */
export class ClassFileError extends Error {}

/** Constants by index, as offsets into the bytes; `tags` is 0 where there is none. */
export interface ConstantPool {
  bytes: Buffer;
  tags: Uint8Array;
  /** Offset of what follows the tag. */
  offsets: Uint32Array;
  /** Offset of the first byte after the pool. */
  end: number;
}

export interface MethodCode {
  name: string;
  descriptor: string;
  /** Where its instructions begin and end in the bytes. */
  start: number;
  end: number;
}

const tag = {
  utf8: 1,
  integer: 3,
  float: 4,
  long: 5,
  double: 6,
  class: 7,
  string: 8,
  field: 9,
  method: 10,
  interface_method: 11,
  name_and_type: 12,
  method_handle: 15,
  method_type: 16,
  dynamic: 17,
  invoke_dynamic: 18,
  module: 19,
  package: 20,
} as const;
/** Bytes after the tag; of a text, the bytes of its length. */
const sizes = new Uint8Array(21);
for (const [name, size] of [
  ['utf8', 2],
  ['integer', 4],
  ['float', 4],
  ['long', 8],
  ['double', 8],
  ['class', 2],
  ['string', 2],
  ['field', 4],
  ['method', 4],
  ['interface_method', 4],
  ['name_and_type', 4],
  ['method_handle', 3],
  ['method_type', 2],
  ['dynamic', 4],
  ['invoke_dynamic', 4],
  ['module', 2],
  ['package', 2],
] as const)
  sizes[tag[name]] = size;

const magic = 0xcafebabe;
/** Java 1.1 to 40: newer ones may have constants that are not known here. */
const versions = { first: 45, last: 84 };

/** Reads the constants. Throws `ClassFileError`. */
export function readConstants(bytes: Buffer): ConstantPool {
  if (bytes.length < 10 || bytes.readUInt32BE(0) !== magic) throw new ClassFileError('no class file');
  const version = bytes.readUInt16BE(6);
  if (version < versions.first || version > versions.last)
    throw new ClassFileError(`class file version ${version}`);
  const count = bytes.readUInt16BE(8);
  const tags = new Uint8Array(Math.max(count, 1));
  const offsets = new Uint32Array(Math.max(count, 1));
  let at = 10;
  for (let index = 1; index < count; index++) {
    const kind = at < bytes.length ? bytes[at]! : 0;
    const size = kind < sizes.length ? sizes[kind]! : 0;
    if (size === 0 || at + 1 + size > bytes.length) throw new ClassFileError(`constant ${index}`);
    tags[index] = kind;
    offsets[index] = at + 1;
    at += 1 + size;
    if (kind === tag.utf8) at += bytes.readUInt16BE(at - 2);
    if (kind === tag.long || kind === tag.double) index++; // they take two places
  }
  if (at > bytes.length) throw new ClassFileError('constants');
  return { bytes, tags, offsets, end: at };
}

/** The text constant at `index`; empty when it is none. */
function textAt({ bytes, tags, offsets }: ConstantPool, index: number): string {
  if (tags[index] !== tag.utf8) return '';
  const at = offsets[index]!;
  return bytes.toString('utf8', at + 2, at + 2 + bytes.readUInt16BE(at));
}

const isMember = (kind: number | undefined): boolean =>
  kind === tag.field || kind === tag.method || kind === tag.interface_method;

/** `owner.name` of the field or method that the constant at `index` names; empty when it names none. */
export function memberAt(pool: ConstantPool, index: number, names: Map<number, string> = new Map()): string {
  if (!isMember(pool.tags[index])) return '';
  const { bytes, offsets } = pool;
  const at = offsets[index]!;
  const type = bytes.readUInt16BE(at + 2);
  if (pool.tags[type] !== tag.name_and_type) return '';
  const owner = classAt(pool, bytes.readUInt16BE(at), names);
  return `${owner}.${cachedText(pool, bytes.readUInt16BE(offsets[type]!), names)}`;
}

/** Descriptor of the member that the constant at `index` names. */
export function descriptorAt(pool: ConstantPool, index: number): string {
  if (!isMember(pool.tags[index])) return '';
  const type = pool.bytes.readUInt16BE(pool.offsets[index]! + 2);
  return pool.tags[type] === tag.name_and_type
    ? textAt(pool, pool.bytes.readUInt16BE(pool.offsets[type]! + 2))
    : '';
}

/** Name of the class that the constant at `index` stands for; empty when it stands for none. */
export function classAt(pool: ConstantPool, index: number, names: Map<number, string> = new Map()): string {
  return pool.tags[index] === tag.class
    ? cachedText(pool, pool.bytes.readUInt16BE(pool.offsets[index]!), names)
    : '';
}

function cachedText(pool: ConstantPool, index: number, names: Map<number, string>): string {
  const known = names.get(index);
  if (known !== undefined) return known;
  const text = textAt(pool, index);
  names.set(index, text);
  return text;
}

/** The literal at `index` as it is loaded by code: a text, number or class; null when it is none of them. */
export function literalAt(pool: ConstantPool, index: number): string | number | null {
  const { bytes, tags, offsets } = pool;
  switch (tags[index]) {
    case tag.string:
      return textAt(pool, bytes.readUInt16BE(offsets[index]!));
    case tag.integer:
      return bytes.readInt32BE(offsets[index]!);
    case tag.float:
      return bytes.readFloatBE(offsets[index]!);
    case tag.double:
      return bytes.readDoubleBE(offsets[index]!);
    case tag.long:
      return Number(bytes.readBigInt64BE(offsets[index]!));
    default:
      return null;
  }
}

/** All members that code may use, by `owner.name`. */
export function* membersOf(pool: ConstantPool): Generator<string> {
  const names = new Map<number, string>();
  for (let index = 1; index < pool.tags.length; index++)
    if (isMember(pool.tags[index])) yield memberAt(pool, index, names);
}

/** All texts that code may load. */
export function* textsOf(pool: ConstantPool): Generator<string> {
  for (let index = 1; index < pool.tags.length; index++)
    if (pool.tags[index] === tag.string) yield textAt(pool, pool.bytes.readUInt16BE(pool.offsets[index]!));
}

/** Name of the class itself. Throws `ClassFileError`. */
export function ownName(pool: ConstantPool): string {
  if (pool.end + 8 > pool.bytes.length) throw new ClassFileError('header');
  return classAt(pool, pool.bytes.readUInt16BE(pool.end + 2));
}

/** The methods that have code, in order. Throws `ClassFileError`. */
export function methodsOf(pool: ConstantPool): MethodCode[] {
  const { bytes } = pool;
  let at = pool.end + 6; // access, this class, parent class
  const u2 = (): number => {
    if (at + 2 > bytes.length) throw new ClassFileError('truncated');
    at += 2;
    return bytes.readUInt16BE(at - 2);
  };
  const u4 = (): number => {
    if (at + 4 > bytes.length) throw new ClassFileError('truncated');
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const skip = (length: number): void => {
    at += length;
    if (at > bytes.length) throw new ClassFileError('truncated');
  };
  skip(u2() * 2); // interfaces
  for (let fields = u2(); fields > 0; fields--) {
    skip(6);
    for (let attributes = u2(); attributes > 0; attributes--) {
      skip(2);
      skip(u4());
    }
  }
  const methods: MethodCode[] = [];
  for (let left = u2(); left > 0; left--) {
    skip(2);
    const [name, descriptor] = [u2(), u2()];
    for (let attributes = u2(); attributes > 0; attributes--) {
      const kind = textAt(pool, u2());
      const length = u4();
      const next = at + length;
      skip(length);
      if (kind !== 'Code') continue;
      if (length < 8) throw new ClassFileError('code');
      const size = bytes.readUInt32BE(next - length + 4);
      const start = next - length + 8;
      if (start + size > next) throw new ClassFileError('code');
      methods.push({
        name: textAt(pool, name),
        descriptor: textAt(pool, descriptor),
        start,
        end: start + size,
      });
    }
  }
  return methods;
}
