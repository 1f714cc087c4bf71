import { createHash } from 'node:crypto';
import {
  type Bootstrap,
  type ConstantPool,
  classAt,
  descriptorAt,
  dynamicAt,
  handleAt,
  literalAt,
  memberAt,
  nameAndTypeAt,
} from './class-file.ts';
import { type Evidence, evidenceOfCall, evidenceOfText } from './evidence.ts';

/** What a constant says: texts and members, each with what it is evidence of. */
export type Found = ReadonlyArray<readonly [value: string, kinds: readonly Evidence[]]>;

const nothing: Found = [];
/** Values that are kept of a dynamic call. */
const max_values = 200;
/** Of a text in a line; a longer one is cut off, and told apart by its hash. */
const max_text = 256;

/**
 * What the instructions of a class refer to. Each constant is looked up once, however many instructions name it: a hostile class
 * has thousands that share a long one.
 */
export class Operands {
  readonly #pool: ConstantPool;
  readonly #own: string;
  readonly #bootstraps: readonly Bootstrap[];
  readonly #names = new Map<number, string>();
  readonly #found = new Map<number, Found>();
  readonly #words = new Map<number, string>();
  readonly #dynamic = new Map<number, Found>();

  constructor(pool: ConstantPool, own: string, bootstraps: readonly Bootstrap[]) {
    this.#pool = pool;
    this.#own = own;
    this.#bootstraps = bootstraps;
  }

  /** What the constant at `index` is evidence of; of a dynamic call, what it is given: pieces of text, references to methods. */
  found(index: number): Found {
    const known = this.#found.get(index);
    if (known) return known;
    const dynamic = dynamicAt(this.#pool, index);
    const found = dynamic ? this.#foundIn(dynamic[0]) : this.#foundAt(index);
    this.#found.set(index, found);
    return found;
  }

  #foundIn(bootstrap: number): Found {
    const known = this.#dynamic.get(bootstrap);
    if (known) return known;
    const given = this.#bootstraps[bootstrap] ?? [];
    const all = given.flatMap((index) => this.#foundAt(handleAt(this.#pool, index) || index));
    // what is left out says nothing new
    const kinds = new Set<Evidence>();
    const found = all.filter(([, own], place) => {
      const isNew = own.some((kind) => !kinds.has(kind));
      for (const kind of own) kinds.add(kind);
      return isNew || place < max_values;
    });
    this.#dynamic.set(bootstrap, found);
    return found;
  }

  #foundAt(index: number): Found {
    const known = this.#found.get(index);
    if (known) return known;
    const found = this.#look(index);
    this.#found.set(index, found);
    return found;
  }

  #look(index: number): Found {
    const member = memberAt(this.#pool, index, this.#names);
    if (member) {
      const call = evidenceOfCall(member);
      return call ? [[member, [call]]] : nothing;
    }
    const text = literalAt(this.#pool, index);
    if (typeof text !== 'string') return nothing;
    const kinds = evidenceOfText(text);
    return kinds.length > 0 ? [[text, kinds]] : nothing;
  }

  /**
   * The constant at `index` in words. The class itself is called `this`, so that the same code of another class and another
   * version gives the same words.
   */
  words(index: number): string {
    const known = this.#words.get(index);
    if (known !== undefined) return known;
    const words = this.#say(index);
    this.#words.set(index, words);
    return words;
  }

  #say(index: number): string {
    const dynamic = dynamicAt(this.#pool, index);
    if (dynamic) return this.#sayDynamic(dynamic);
    const member = memberAt(this.#pool, index, this.#names);
    if (member) {
      const descriptor = this.withoutOwn(descriptorAt(this.#pool, index));
      return `${this.#isOwn(member) ? `this${member.slice(this.#own.length)}` : member}${descriptor.startsWith('(') ? '' : ' '}${descriptor}`;
    }
    const type = classAt(this.#pool, index, this.#names);
    if (type) return type === this.#own ? 'this' : type;
    const literal = literalAt(this.#pool, index);
    return literal === null ? '' : sayLiteral(literal);
  }

  /** Own methods are left out: a compiler numbers those of lambdas through the class. */
  #sayDynamic([bootstrap, name]: readonly [number, number]): string {
    const given = (this.#bootstraps[bootstrap] ?? []).slice(0, 16).flatMap((index) => {
      const handle = handleAt(this.#pool, index);
      if (handle) {
        const member = memberAt(this.#pool, handle, this.#names);
        return this.#isOwn(member) ? [] : [member];
      }
      const literal = literalAt(this.#pool, index);
      return literal === null ? [] : [sayLiteral(literal)];
    });
    return [this.withoutOwn(nameAndTypeAt(this.#pool, name)), ...given].join(' ');
  }

  #isOwn = (member: string): boolean => this.#own !== '' && member.startsWith(`${this.#own}.`);

  /** A descriptor in which the class itself is called `this`. */
  withoutOwn = (descriptor: string): string => descriptor.replaceAll(`L${this.#own};`, 'Lthis;');
}

function sayLiteral(literal: string | number): string {
  if (typeof literal === 'number' || literal.length <= max_text) return JSON.stringify(literal) ?? 'NaN';
  const hash = createHash('sha256').update(literal).digest('hex').slice(0, 16);
  return `${JSON.stringify(literal.slice(0, max_text))}...#${hash}`;
}
