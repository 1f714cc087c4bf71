import { parse as parseToml } from 'smol-toml';
import type { ArchiveView } from '../../platform/files/archive-view.ts';
import { type JsonRules, parseLoaderJson } from './lenient-json.ts';
import type { ManifestProblem, ManifestProblemCode } from './manifest.ts';

export type Fields = Record<string, unknown>;

/** Longest manifest in bytes; parsers of YAML take far longer per byte than those of JSON. */
const max_bytes = {
  json: 1024 * 1024,
  lenient_json: 1024 * 1024,
  toml: 256 * 1024,
  yaml: 64 * 1024,
} as const;
export type Syntax = keyof typeof max_bytes;

/** Removed from every text: control characters, and marks that change the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unwanted = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Reads the entries of one archive and collects the problems of everything read. */
export class ManifestReader {
  readonly archive: ArchiveView;
  readonly #names: ReadonlySet<string>;
  readonly #max_problems = 64;
  readonly problems: ManifestProblem[] = [];

  constructor(archive: ArchiveView) {
    this.archive = archive;
    this.#names = new Set(archive.names);
  }

  has(entry: string): boolean {
    return this.#names.has(entry);
  }

  names(): readonly string[] {
    return this.archive.names;
  }

  add(code: ManifestProblemCode, entry: string, field: string | null = null): void {
    if (this.problems.some((one) => one.code === code && one.entry === entry && one.field === field)) return;
    if (this.problems.length < this.#max_problems) this.problems.push({ code, entry, field });
  }

  /** The text of an entry; null, with a problem, when it cannot be read. */
  async text(entry: string, limit: number): Promise<string | null> {
    let bytes: Uint8Array | null = null;
    try {
      bytes = await this.archive.read(entry, limit);
    } catch {
      // an archive library throws errors of its own
    }
    if (bytes && bytes.length <= limit) return new TextDecoder().decode(bytes);
    this.add('entry_unreadable', entry);
    return null;
  }

  /** The parsed entry; null without that entry, or with a problem. */
  async parsed(entry: string, syntax: Syntax): Promise<unknown> {
    if (!this.has(entry)) return null;
    const text = await this.text(entry, max_bytes[syntax]);
    if (text === null) return null;
    try {
      return await parsers[syntax](text);
    } catch {
      this.add('syntax', entry); // also RangeError: too deep for the stack
      return null;
    }
  }

  /** The parsed entry when it is an object. */
  async fields(entry: string, syntax: Syntax): Promise<Fields | null> {
    const value = await this.parsed(entry, syntax);
    if (value === null) return null;
    if (isFields(value)) return value;
    this.add('wrong_type', entry);
    return null;
  }

  /** A text of a manifest that may be shown: one line, no unwanted characters, at most `max` characters. */
  line(value: unknown, entry: string, field: string, max: number): string | null {
    if (value === undefined || value === null) return null;
    const given = typeof value === 'number' ? String(value) : value;
    if (typeof given !== 'string') {
      this.add('wrong_type', entry, field);
      return null;
    }
    const text = given.slice(0, 16 * max).toWellFormed();
    if (/\$\{|@[A-Z_]+@/.test(text)) {
      this.add('placeholder', entry, field);
      return null;
    }
    const line = text.replace(/[ \t\r\n]+/g, ' ');
    const clean = line.replace(unwanted, '').trim();
    if (clean.length < line.trim().length) this.add('characters_removed', entry, field);
    const letters = [...clean];
    if (letters.length <= max) return clean || null;
    this.add('too_long', entry, field);
    return letters.slice(0, max).join('').trim();
  }

  /** A list; one value alone counts as a list of it. */
  list(value: unknown, entry: string, field: string, max = 4096): unknown[] {
    if (value === undefined || value === null) return [];
    const list = Array.isArray(value) ? value : [value];
    if (list.length > max) this.add('too_long', entry, field);
    return list.slice(0, max);
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that is an object, else an empty one. Own keys only: a manifest may have a key `constructor`. */
export const fieldsOf = (value: unknown, key?: string): Fields => {
  const one = key === undefined ? value : isFields(value) && Object.hasOwn(value, key) ? value[key] : null;
  return isFields(one) ? one : {};
};

function jsonOf(text: string, rules: JsonRules): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLoaderJson(text, rules);
  }
}

const parsers: Record<Syntax, (text: string) => unknown | Promise<unknown>> = {
  json: (text) => jsonOf(text, { lenient: false }),
  lenient_json: (text) => jsonOf(text, { lenient: true }),
  toml: (text) => parseToml(text, { maxDepth: 64 }),
  yaml: async (text) => {
    // four fifths of this reader's code, which browsers load for plugins only
    const { parseDocument } = await import('yaml');
    // every value stays text: the version 1.10 must not become the number 1.1
    // of a repeated key servers take the last one
    const document = parseDocument(text, {
      ...{ schema: 'failsafe', uniqueKeys: false },
      ...{ logLevel: 'silent', prettyErrors: false },
    } as const);
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS({ maxAliasCount: 64 });
  },
};
