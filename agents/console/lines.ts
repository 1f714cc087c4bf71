import { StringDecoder } from 'node:string_decoder';
import { max_line_bytes } from '#control/protocol/console.ts';

/** Splits the output of a process into lines that a console can display. */

/** Colours stay; other control sequences are removed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const sequences = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const anyControl = /[\u0000-\u0008\u000b-\u001f\u007f]/;
const colour = /^[0-9;:]*$/;
const prompt = /^(?:>+ ?)+/;

/** A line for display: text and colours, without the prompt that a line editor writes before it. */
export function clean(line: string): string {
  if (!anyControl.test(line)) return line;
  let moved = false;
  // a terminal displays the last part of a line that was overwritten
  const text = line.replace(/(?<!\r)\r+$/, '');
  const shown = text.slice(text.lastIndexOf('\r') + 1);
  const kept = shown.replace(sequences, (sequence, values: string | undefined, end: string | undefined) => {
    if (end === 'm' && colour.test(values ?? '')) return sequence;
    moved = true;
    return '';
  });
  const plain = kept.replace(controls, '');
  return moved ? plain.replace(prompt, '') : plain;
}

/** Splits output that arrives in any pieces into lines of at most 8 KB; a longer one becomes several. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #take: (line: string) => void;
  #rest = '';

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  write(bytes: Buffer): void {
    const text = this.#rest + this.#decoder.write(bytes);
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#give(text.slice(start, end));
      start = end + 1;
    }
    this.#rest = text.slice(start);
    // a process that never ends its line must not fill the memory
    while (this.#rest.length > max_line_bytes) this.#rest = this.#cut(this.#rest);
  }

  /** The process ended: its unfinished line counts as a line. */
  end(): void {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (rest) this.#give(rest);
  }

  #give(line: string): void {
    let rest = line;
    while (rest.length > max_line_bytes) rest = this.#cut(rest);
    this.#take(clean(rest));
  }

  /** Passes on the first 8 KB without splitting a surrogate pair; gives the rest. */
  #cut(text: string): string {
    const last = text.charCodeAt(max_line_bytes - 1);
    const at = last >= 0xd800 && last < 0xdc00 ? max_line_bytes - 1 : max_line_bytes;
    this.#take(clean(text.slice(0, at)));
    return text.slice(at);
  }
}
