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

/** A class as far as it is read: its methods that have code, and what its dynamic calls are given, by index. */
export interface ClassBody {
  methods: MethodCode[];
  bootstraps: Bootstrap[];
}

/** Arguments of a dynamic call: indexes of constants. */
export type Bootstrap = readonly number[];

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

/** Names of classes and members are cut off: many constants may share one of 64 kB. */
const max_name = 512;

/** The text constant at `index`, at most `max` bytes of it; empty when it is none. */
function textAt({ bytes, tags, offsets }: ConstantPool, index: number, max = 65_535): string {
  if (tags[index] !== tag.utf8) return '';
  const at = offsets[index]!;
  return bytes.toString('utf8', at + 2, at + 2 + Math.min(bytes.readUInt16BE(at), max));
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
    ? textAt(pool, pool.bytes.readUInt16BE(pool.offsets[type]! + 2), max_name)
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
  const text = textAt(pool, index, max_name);
  names.set(index, text);
  return text;
}

/** The number at `index`; null when it is none. */
export function numberAt({ bytes, tags, offsets }: ConstantPool, index: number): number | null {
  switch (tags[index]) {
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

/** The literal at `index` as it is loaded by code: a text or a number; null when it is neither. */
export const literalAt = (pool: ConstantPool, index: number): string | number | null =>
  pool.tags[index] === tag.string
    ? textAt(pool, pool.bytes.readUInt16BE(pool.offsets[index]!))
    : numberAt(pool, index);

/** All members that code may use, by index and `owner.name`. */
export function* membersOf(pool: ConstantPool): Generator<{ index: number; name: string }> {
  const names = new Map<number, string>();
  for (let index = 1; index < pool.tags.length; index++)
    if (isMember(pool.tags[index])) yield { index, name: memberAt(pool, index, names) };
}

/** All texts that code may load, each once however many constants share it. */
export function* textsOf(pool: ConstantPool): Generator<string> {
  const { bytes, tags, offsets } = pool;
  const seen = new Uint8Array(tags.length);
  for (let index = 1; index < tags.length; index++) {
    if (tags[index] !== tag.string) continue;
    const text = bytes.readUInt16BE(offsets[index]!);
    if (text >= seen.length || seen[text]) continue;
    seen[text] = 1;
    yield textAt(pool, text);
  }
}

/** What a dynamic call names: index of its bootstrap, and of its name and descriptor; null for another constant. */
export function dynamicAt({ bytes, tags, offsets }: ConstantPool, index: number): [number, number] | null {
  if (tags[index] !== tag.invoke_dynamic && tags[index] !== tag.dynamic) return null;
  const at = offsets[index]!;
  return [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
}

/** `name` and descriptor at `index`; empty when it is none. */
export function nameAndTypeAt(pool: ConstantPool, index: number): string {
  if (pool.tags[index] !== tag.name_and_type) return '';
  const at = pool.offsets[index]!;
  const part = (where: number) => textAt(pool, pool.bytes.readUInt16BE(where), max_name);
  return `${part(at)}${part(at + 2)}`;
}

/** Index of the member that the method handle at `index` stands for; 0 when it is none. */
export const handleAt = ({ bytes, tags, offsets }: ConstantPool, index: number): number =>
  tags[index] === tag.method_handle ? bytes.readUInt16BE(offsets[index]! + 1) : 0;

/** Name of the class itself. Throws `ClassFileError`. */
export function ownName(pool: ConstantPool): string {
  if (pool.end + 8 > pool.bytes.length) throw new ClassFileError('header');
  return classAt(pool, pool.bytes.readUInt16BE(pool.end + 2));
}

/** Reads all of a class but its constants. Throws `ClassFileError`. */
export function readBody(pool: ConstantPool): ClassBody {
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
  /** Passes over attributes; those of this name are read. */
  const attributes = (name: string | null, read: (from: number, to: number) => void = () => {}): void => {
    for (let left = u2(); left > 0; left--) {
      const kind = u2();
      const length = u4();
      skip(length);
      if (name !== null && textAt(pool, kind, max_name) === name) read(at - length, at);
    }
  };
  skip(u2() * 2); // interfaces
  for (let fields = u2(); fields > 0; fields--) {
    skip(6);
    attributes(null);
  }
  const methods: MethodCode[] = [];
  for (let left = u2(); left > 0; left--) {
    skip(2);
    const [name, descriptor] = [u2(), u2()];
    attributes('Code', (from, to) => {
      if (to - from < 8) throw new ClassFileError('code');
      const start = from + 8;
      const end = start + bytes.readUInt32BE(from + 4);
      if (end > to) throw new ClassFileError('code');
      methods.push({
        name: textAt(pool, name, max_name),
        descriptor: textAt(pool, descriptor, max_name),
        ...{ start, end },
      });
    });
  }
  const bootstraps: Bootstrap[] = [];
  attributes('BootstrapMethods', (from, to) => bootstraps.push(...bootstrapsIn(bytes, from, to)));
  return { methods, bootstraps };
}

function bootstrapsIn(bytes: Buffer, from: number, to: number): Bootstrap[] {
  let at = from;
  const u2 = (): number => {
    if (at + 2 > to) throw new ClassFileError('bootstraps');
    at += 2;
    return bytes.readUInt16BE(at - 2);
  };
  return Array.from({ length: u2() }, () => {
    u2(); // the method that makes the call
    return Array.from({ length: u2() }, u2);
  });
}
