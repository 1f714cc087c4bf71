import { and, andNot, type Bits, bitsFor, clear, countBoth, has, or, set } from './bits.ts';
import { type Sections, section } from './sections.ts';
import { byBytes, Strings, writeStrings } from './string-table.ts';

const nameOf = (key: string, value: string): string => `${key}\0${value}`;

/** Collects which members (documents or rows) have which value of which key. */
export class ValuesWriter {
  readonly #members = new Map<string, Map<string, number[]>>();

  /** Members come in ascending order; duplicates count once. */
  add(pairs: Iterable<readonly [key: string, value: string]>, member: number): void {
    for (const [key, value] of pairs) {
      const values = this.#members.get(key) ?? new Map<string, number[]>();
      if (values.size === 0) this.#members.set(key, values);
      const members = values.get(value);
      if (!members) values.set(value, [member]);
      else if (members.at(-1) !== member) members.push(member);
    }
  }

  /**
   * Writes a bit set for values with many of the `universe` members, a sorted list for others: whichever is shorter.
   */
  write(sections: Sections, name: string, universe: number): void {
    const numbers_of_value = [...this.#members].flatMap(([key, values]) =>
      [...values].map(([value, members]) => ({ name: nameOf(key, value), members })),
    );
    numbers_of_value.sort((a, b) => byBytes(a.name, b.name));
    const sizes = Uint32Array.from(numbers_of_value, ({ members }) => members.length);
    const tokens = (size: number) => (isDense(size, universe) ? bitsFor(universe).length : size);
    const pool = new Uint32Array(sizes.reduce((sum, size) => sum + tokens(size), 0));
    const starts = new Uint32Array(numbers_of_value.length);
    let at = 0;
    numbers_of_value.forEach(({ members }, i) => {
      starts[i] = at;
      const end = at + tokens(members.length);
      if (isDense(members.length, universe))
        for (const member of members) set(pool.subarray(at, end), member);
      else pool.set(members, at);
      at = end;
    });
    writeStrings(
      sections,
      `${name}.names`,
      numbers_of_value.map((one) => one.name),
    );
    sections.set(`${name}.sizes`, sizes).set(`${name}.starts`, starts).set(`${name}.members`, pool);
  }
}

const isDense = (size: number, universe: number): boolean => size * 32 >= universe;

/** The members that have a value: as bits or as a sorted list. */
export class Members {
  readonly size: number;
  readonly #bits: Bits | null;
  readonly #list: Uint32Array | null;

  constructor(pool: Uint32Array, size: number, universe: number) {
    this.size = size;
    this.#bits = isDense(size, universe) ? pool : null;
    this.#list = this.#bits ? null : pool;
  }

  /** The members as a bit set; null when they are few and stored as a list. */
  get bits(): Bits | null {
    return this.#bits;
  }

  /** The members in ascending order; null when they are stored as a bit set. */
  get list(): Uint32Array | null {
    return this.#list;
  }

  has(member: number): boolean {
    if (this.#bits) return has(this.#bits, member);
    const list = this.#list as Uint32Array;
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((list[middle] as number) < member) low = middle + 1;
      else high = middle;
    }
    return list[low] === member;
  }

  /** Number of members in a set. */
  countIn(among: Bits): number {
    if (this.#bits) return countBoth(this.#bits, among);
    let sum = 0;
    for (const member of this.#list as Uint32Array) if (has(among, member)) sum++;
    return sum;
  }

  /** Calls `use` with every member, in ascending order. */
  each(use: (member: number) => void): void {
    if (this.#list) for (const member of this.#list) use(member);
    const words = this.#bits ?? [];
    for (let i = 0; i < words.length; i++)
      for (let rest = words[i] as number; rest !== 0; rest &= rest - 1)
        use((i << 5) + 31 - Math.clz32(rest & -rest));
  }

  addTo(into: Bits): void {
    if (this.#bits) or(into, this.#bits);
    else for (const member of this.#list as Uint32Array) set(into, member);
  }

  /** Removes the members from a set. */
  removeFrom(from: Bits): void {
    if (this.#bits) andNot(from, this.#bits);
    else for (const member of this.#list as Uint32Array) clear(from, member);
  }

  /** Intersects a set with the members. */
  retainIn(retained: Bits): void {
    if (this.#bits) {
      and(retained, this.#bits);
      return;
    }
    const staying = (this.#list as Uint32Array).filter((member) => has(retained, member));
    retained.fill(0);
    for (const member of staying) set(retained, member);
  }
}

/** Members of one universe by key and value. */
export class Values {
  readonly universe: number;
  readonly #names: Strings;
  readonly #sizes: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #pool: Uint32Array;

  constructor(sections: Sections, name: string, universe: number) {
    this.universe = universe;
    this.#names = new Strings(sections, `${name}.names`);
    this.#sizes = section(sections, `${name}.sizes`, Uint32Array);
    this.#starts = section(sections, `${name}.starts`, Uint32Array);
    this.#pool = section(sections, `${name}.members`, Uint32Array);
  }

  /** Position of a value among all values of all keys, negative when it has no members. */
  position(key: string, value: string): number {
    return this.#names.find(nameOf(key, value));
  }

  /** The positions of all values of a key: from the first up to the second. */
  positions(key: string): [from: number, to: number] {
    return this.#names.startingWith(nameOf(key, ''));
  }

  /** The members that have `value` of `key`; null for none. */
  members(key: string, value: string): Members | null {
    const at = this.position(key, value);
    return at < 0 ? null : this.membersAt(at);
  }

  membersAt(at: number): Members {
    const [start, size] = [this.#starts[at] as number, this.#sizes[at] as number];
    const tokens = isDense(size, this.universe) ? bitsFor(this.universe).length : size;
    return new Members(this.#pool.subarray(start, start + tokens), size, this.universe);
  }
}
