/** Class files byte by byte, for tests of the scanner: no Java compiler is needed. */

/** One thing that code does; the stack is of no interest. */
export type Op =
  | readonly ['text', string]
  /** `owner.name`, called as a method. */
  | readonly ['call', string]
  /** A text that is built of single bytes, and one of single characters. */
  | readonly ['bytes', string]
  | readonly ['chars', string]
  /** A text with gaps (`\u0001`) that is put together while code runs. */
  | readonly ['concat', string]
  /** `owner.name`, passed on as a reference to a method. */
  | readonly ['reference', string]
  | readonly ['number', number]
  /** The same many times. */
  | readonly ['repeat', number, Op]
  /** Instructions as they are. */
  | readonly ['raw', ...number[]];

export interface GivenClass {
  name?: string;
  methods?: Record<string, readonly Op[]>;
  /** Of the format: 52 is Java 8. */
  version?: number;
  /** Texts among the constants that no code loads. */
  unused?: readonly string[];
}

const u1 = (value: number) => Buffer.from([value & 0xff]);
const u2 = (value: number) => Buffer.from([(value >> 8) & 0xff, value & 0xff]);
const u4 = (value: number) => Buffer.concat([u2(value >>> 16), u2(value & 0xffff)]);

/** Constants, each once; `use` gives the index. */
class Constants {
  readonly #bytes: Buffer[] = [];
  readonly #known = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  /** Arguments of dynamic calls. */
  readonly bootstraps: number[] = [];

  use(tag: number, ...content: Buffer[]): number {
    const bytes = Buffer.concat([u1(tag), ...content]);
    const known = this.#known.get(bytes.toString('latin1'));
    if (known !== undefined) return known;
    this.#known.set(bytes.toString('latin1'), this.#bytes.push(bytes));
    return this.#bytes.length;
  }
  utf8(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text);
    const index = this.use(1, u2(bytes.length), bytes);
    this.#texts.set(text, index);
    return index;
  }
  class = (name: string): number => this.use(7, u2(this.utf8(name)));
  string = (text: string): number => this.use(8, u2(this.utf8(text)));
  method(name: string, descriptor = '()V'): number {
    const dot = name.lastIndexOf('.');
    const type = this.use(12, u2(this.utf8(name.slice(dot + 1))), u2(this.utf8(descriptor)));
    return this.use(10, u2(this.class(name.slice(0, dot))), u2(type));
  }
  handle = (name: string): number => this.use(15, u1(6), u2(this.method(name)));
  /** A dynamic call with this constant as its argument. */
  dynamic(argument: number): number {
    const place = this.bootstraps.push(argument) - 1;
    return this.use(18, u2(place), u2(this.use(12, u2(this.utf8('call')), u2(this.utf8('()V')))));
  }
  bytes = (): Buffer => Buffer.concat([u2(this.#bytes.length + 1), ...this.#bytes]);
}

/** dup, sipush index, sipush value, bastore or castore */
const store = (value: number, index: number, how: number): Buffer =>
  Buffer.concat([u1(89), u1(17), u2(index), u1(17), u2(value), u1(how)]);
/** newarray, its values, and a text of it */
const built = (constants: Constants, values: number[], [type, how]: [number, number], descriptor: string) => {
  const created = constants.method('java/lang/String.<init>', descriptor);
  return Buffer.concat([
    ...[u1(16), u1(1), u1(188), u1(type)],
    ...values.map((value, index) => store(value, index, how)),
    ...[u1(183), u2(created)],
  ]);
};
const invokedynamic = (index: number): Buffer => Buffer.concat([u1(186), u2(index), u2(0)]);

const writers: { [Kind in Op[0]]: (constants: Constants, ...values: never[]) => Buffer } = {
  text: (constants, text: string) => Buffer.concat([u1(19), u2(constants.string(text))]), // ldc_w
  call: (constants, name: string) => Buffer.concat([u1(184), u2(constants.method(name))]), // invokestatic
  number: (_, value: number) => Buffer.concat([u1(17), u2(value)]), // sipush
  raw: (_, ...bytes: number[]) => Buffer.from(bytes),
  repeat: (constants, times: number, op: Op) => {
    const once = write(constants, op);
    return Buffer.alloc(once.length * times, once);
  },
  bytes: (constants, text: string) =>
    built(constants, [...Buffer.from(text)], [8, 84], '([BLjava/nio/charset/Charset;)V'),
  chars: (constants, text: string) =>
    built(
      constants,
      [...text].map((one) => one.charCodeAt(0)),
      [5, 85],
      '([C)V',
    ),
  concat: (constants, text: string) => invokedynamic(constants.dynamic(constants.string(text))),
  reference: (constants, name: string) => invokedynamic(constants.dynamic(constants.handle(name))),
};

const write = (constants: Constants, [kind, ...values]: Op): Buffer =>
  writers[kind](constants, ...(values as never[]));

const codeOf = (constants: Constants, ops: readonly Op[]): Buffer =>
  Buffer.concat([
    ...ops.map((op) => write(constants, op)),
    u1(177), // return
  ]);

/** The bytes of a class. */
export function classFile({
  name = 'com/example/Example',
  methods = {},
  version = 52,
  unused = [],
}: GivenClass = {}): Buffer {
  const constants = new Constants();
  const [own, parent] = [constants.class(name), constants.class('java/lang/Object')];
  for (const text of unused) constants.string(text);
  const written = Object.entries(methods).map(([method, ops]) => {
    const code = codeOf(constants, ops);
    const attribute = Buffer.concat([u2(8), u2(8), u4(code.length), code, u2(0), u2(0)]);
    const names = [constants.utf8(method), constants.utf8('()V'), 1, constants.utf8('Code')];
    return Buffer.concat([u2(9), ...names.map(u2), u4(attribute.length), attribute]);
  });
  const bootstraps = bootstrapsOf(constants);
  return Buffer.concat([
    ...[u4(0xcafebabe), u2(0), u2(version), constants.bytes()],
    ...[u2(0x21), u2(own), u2(parent), u2(0), u2(0), u2(written.length), ...written],
    ...[u2(bootstraps.length), ...bootstraps],
  ]);
}

/** The attribute with the arguments of dynamic calls; none without any. Its constants are added before they are written. */
function bootstrapsOf(constants: Constants): Buffer[] {
  if (constants.bootstraps.length === 0) return [];
  const how = constants.handle('java/lang/invoke/StringConcatFactory.makeConcatWithConstants');
  const list = constants.bootstraps.flatMap((argument) => [u2(how), u2(1), u2(argument)]);
  const content = Buffer.concat([u2(constants.bootstraps.length), ...list]);
  return [Buffer.concat([u2(constants.utf8('BootstrapMethods')), u4(content.length), content])];
}
