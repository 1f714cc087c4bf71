import type { Operator } from '../engine.ts';
import { invalidFilter } from './limits.ts';

/** A parsed value: quoted text is always text. */
export interface Token {
  text: string;
  quoted: boolean;
}

const quotes = new Set(["'", '"', '`']);
const spaces = new Set([' ', '\t', '\n', '\r', '\u{A0}']);
const stops = new Set([...quotes, ...spaces, '(', ')', '[', ']', ',', '=', '<', '>']);

/** Scans one text from left to right. */
export class FilterLexer {
  readonly where: string;
  readonly #text: string;
  #at = 0;

  constructor(where: string, text: string) {
    this.where = where;
    this.#text = text;
  }

  refuse(expected: string): never {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    throw invalidFilter(
      this.where,
      rest ? `${expected} expected at ${JSON.stringify(rest)}` : `${expected} expected at the end`,
    );
  }

  get ended(): boolean {
    this.#skip();
    return this.#at >= this.#text.length;
  }

  #skip(): void {
    while (spaces.has(this.#text.charAt(this.#at))) this.#at++;
  }

  /** Consumes `char` if it is next. */
  accept(char: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** Consumes `keyword`, in any case, if it is the next whole word. */
  acceptWord(keyword: string): boolean {
    this.#skip();
    const start = this.#at;
    if (this.#word(false).toUpperCase() === keyword) return true;
    this.#at = start;
    return false;
  }

  /** A key: up to an operator, a space or a bracket. */
  key(): string {
    this.#skip();
    const start = this.#at;
    const word = this.#word(true);
    if (word) return word;
    this.#at = start;
    return this.refuse('a key');
  }

  #word(isKey: boolean): string {
    const start = this.#at;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (stops.has(char) || (isKey && char === ':') || (char === '!' && this.#text[this.#at + 1] === '='))
        break;
    }
    return this.#text.slice(start, this.#at);
  }

  operator(): Operator {
    this.#skip();
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (two === '!=' || two === '>=' || two === '<=') {
      this.#at += 2;
      return two;
    }
    const one = this.#text.charAt(this.#at);
    if (one !== ':' && one !== '=' && one !== '>' && one !== '<') return this.refuse('an operator');
    this.#at++;
    return one === ':' ? '=' : one;
  }

  value(): Token {
    this.#skip();
    if (quotes.has(this.#text.charAt(this.#at))) return { text: this.#quoted(), quoted: true };
    const text = this.#word(false);
    return text ? { text, quoted: false } : this.refuse('a value');
  }

  #quoted(): string {
    const quote = this.#text[this.#at++];
    const parts: string[] = [];
    let from = this.#at;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === quote) {
        parts.push(this.#text.slice(from, this.#at++));
        return parts.join('');
      }
      if (char === '\\') {
        parts.push(this.#text.slice(from, this.#at));
        from = ++this.#at;
      }
    }
    throw invalidFilter(this.where, `the quote ${quote} is not closed`);
  }

  /** The rest as one value; a quoted one must end with its quote. */
  rest(): Token {
    this.#skip();
    if (quotes.has(this.#text.charAt(this.#at))) {
      const text = this.#quoted();
      return this.ended ? { text, quoted: true } : this.refuse('nothing more after the closing quote');
    }
    const text = this.#text.slice(this.#at).trim();
    this.#at = this.#text.length;
    return text ? { text, quoted: false } : this.refuse('a value');
  }

  /** Key and operator of the colon form, `key: rest`; null (and nothing consumed) for an expression. */
  colonKey(): string | null {
    let colon = -1;
    for (let i = 0; i < this.#text.length; i++) {
      const char = this.#text[i];
      if (char === '=' || char === '<' || char === '>') return null;
      if (char === ':' && colon < 0) colon = i;
    }
    if (colon < 0) return null;
    const key = this.#text.slice(0, colon).trim();
    if (!key) this.refuse('a key');
    this.#at = colon + 1;
    return key;
  }
}
