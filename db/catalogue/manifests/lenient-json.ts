/** How deep lists and objects may lie in each other. */
const max_depth = 256;
/** What ends a word without quotes. */
const ends_word = /[\s{}[\]:=,;"'#/\\]/;
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\n': '\n' };

export interface JsonRules {
  /**
   * Whether to read like the lenient mode of the game's reader: comments, single quotes, words without quotes, `;` for a
   * comma, `=` for a colon, and a comma at the end of a list, which adds a null.
   */
  lenient: boolean;
}

/**
 * Reads JSON as loaders do, which accept more than its standard: always `\'` and line breaks inside texts. Of a repeated
 * key the last one counts. Throws for what they refuse, such as a comma before `}`.
 */
export const parseLoaderJson = (text: string, rules: JsonRules): unknown => new Parser(text, rules).whole();

class Parser {
  readonly #text: string;
  readonly #lenient: boolean;
  #at = 0;

  constructor(text: string, { lenient }: JsonRules) {
    this.#text = text;
    this.#lenient = lenient;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#wrong();
    return value;
  }

  #wrong = (): SyntaxError => new SyntaxError(`unexpected text at ${this.#at}`);

  /** Skips blanks and comments. */
  #skip(): void {
    const blank = this.#lenient ? /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\r\n]*|#[^\r\n]*)*/y : /[ \t\r\n]*/y;
    blank.lastIndex = this.#at;
    blank.exec(this.#text);
    this.#at = blank.lastIndex;
  }

  /** The next sign after blanks, without taking it. */
  #next(): string {
    this.#skip();
    return this.#text[this.#at] ?? '';
  }

  #takes(...signs: string[]): boolean {
    const found = signs.includes(this.#next()) && this.#at < this.#text.length;
    if (found) this.#at++;
    return found;
  }

  #value(depth: number): unknown {
    if (depth > max_depth) throw this.#wrong();
    if (this.#takes('{')) return this.#object(depth);
    if (this.#takes('[')) return this.#list(depth);
    const quote = this.#next();
    if (this.#isQuote(quote)) return this.#quoted(quote);
    return this.#literal(this.#word());
  }

  #isQuote = (sign: string): boolean => sign === '"' || (this.#lenient && sign === "'");
  #comma = (): boolean => (this.#lenient ? this.#takes(',', ';') : this.#takes(','));

  #object(depth: number): Record<string, unknown> {
    const entries: Array<[string, unknown]> = [];
    if (this.#takes('}')) return {};
    do {
      const sign = this.#next();
      if (!this.#isQuote(sign) && !this.#lenient) throw this.#wrong();
      const key = this.#isQuote(sign) ? this.#quoted(sign) : this.#word();
      if (this.#lenient && this.#takes('=')) this.#takes('>');
      else if (!this.#takes(':')) throw this.#wrong();
      entries.push([key, this.#value(depth + 1)]);
    } while (this.#comma());
    if (!this.#takes('}')) throw this.#wrong();
    // own keys also for `__proto__`
    return Object.fromEntries(entries);
  }

  #list(depth: number): unknown[] {
    const values: unknown[] = [];
    if (this.#takes(']')) return values;
    do {
      const isEmpty = this.#lenient && [',', ';', ']'].includes(this.#next());
      values.push(isEmpty ? null : this.#value(depth + 1));
    } while (this.#comma());
    if (!this.#takes(']')) throw this.#wrong();
    return values;
  }

  #quoted(quote: string): string {
    let text = '';
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at]!;
      if (sign === quote) {
        this.#at++;
        return text;
      }
      text += sign === '\\' ? this.#escaped() : sign;
    }
    throw this.#wrong();
  }

  #escaped(): string {
    const sign = this.#text[++this.#at] ?? '';
    if (sign === 'u') {
      const code = this.#text.slice(this.#at + 1, this.#at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(code)) throw this.#wrong();
      this.#at += 4;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    if (Object.hasOwn(escapes, sign)) return escapes[sign]!;
    if ('"\'\\/'.includes(sign) && sign !== '') return sign;
    throw this.#wrong();
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !ends_word.test(this.#text[this.#at]!)) this.#at++;
    if (this.#at === start) throw this.#wrong();
    return this.#text.slice(start, this.#at);
  }

  #literal(word: string): unknown {
    const known: Record<string, unknown> = { true: true, false: false, null: null };
    const plain = this.#lenient ? word.toLowerCase() : word;
    if (Object.hasOwn(known, plain)) return known[plain];
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word);
    if (!this.#lenient) throw this.#wrong();
    return word;
  }
}
