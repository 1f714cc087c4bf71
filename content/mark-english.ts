/** An element that is open while its text is read. */
interface Open {
  name: string;
  /** Where an attribute can be inserted; null when it has a language of its own. */
  at: number | null;
  /** Whether it is in a language that the markup names. */
  isForeign: boolean;
  /** Whether something in it is English, and whether something in it is not. */
  hasEnglish: boolean;
  hasOther: boolean;
}
interface Marking {
  /** The language of the page. */
  locale: string;
  isEnglish(text: string): boolean;
}

const token =
  /<!--[\s\S]*?-->|<(?<raw>script|style)\b[\s\S]*?<\/\k<raw>\s*>|<![^>]*>|<(?<slash>\/?)(?<name>[a-z][^\s/>]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>|(?<text>[^<]+)|</gi;
const attribute =
  /\s(?<key>aria-label|alt|title|placeholder|lang)=(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gi;
const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const letter = /\p{L}/u;

/**
 * Marks with `lang="en"` what a page in another language says in English: each element in which nothing else is said.
 * English beside text of the page's language stays unmarked. Only attributes are added, so that islands hydrate as
 * before; what they or scripts render later is not marked.
 */
export function markEnglish(html: string, marking: Marking): string {
  const open = new OpenElements(marking);
  for (const match of html.matchAll(token)) {
    const { slash, name, attributes = '', text } = match.groups!;
    if (text !== undefined) open.say(text);
    else if (name !== undefined && slash) open.close(name.toLowerCase());
    else if (name !== undefined) open.begin(name.toLowerCase(), attributes, match.index + 1 + name.length);
  }
  let done = 0;
  const parts = open.marks
    .sort((a, b) => a - b)
    .map((at) => {
      const part = `${html.slice(done, at)} lang="en"`;
      done = at;
      return part;
    });
  return parts.join('') + html.slice(done);
}

/** The elements around the text that is read, outermost first. */
class OpenElements {
  /** Where `lang` belongs. */
  readonly marks: number[] = [];
  readonly #marking: Marking;
  readonly #open: Open[] = [{ name: '', at: null, isForeign: false, hasEnglish: false, hasOther: false }];

  constructor(marking: Marking) {
    this.#marking = marking;
  }

  get #last(): Open {
    return this.#open.at(-1)!;
  }

  say(source: string): void {
    const one = this.#last;
    if (one.isForeign || !letter.test(source)) return;
    if (this.#marking.isEnglish(decoded(source))) one.hasEnglish = true;
    else one.hasOther = true;
  }

  begin(name: string, attributes: string, at: number): void {
    const found = [...attributes.matchAll(attribute)].map(({ groups }) => ({
      key: groups!.key!.toLowerCase(),
      value: groups!.double ?? groups!.single ?? '',
    }));
    const language = found.find(({ key }) => key === 'lang')?.value;
    this.#open.push({
      name,
      at: language === undefined ? at : null,
      isForeign: language === undefined ? this.#last.isForeign : language !== this.#marking.locale,
      hasEnglish: false,
      hasOther: false,
    });
    for (const { key, value } of found) if (key !== 'lang') this.say(value);
    if (voids.has(name) || attributes.endsWith('/')) this.#closeLast();
  }

  /** Ends the element, and what was left open in it. An end without a beginning is none. */
  close(name: string): void {
    if (!this.#open.some((one) => one.name === name)) return;
    while (this.#last.name !== name) this.#closeLast();
    this.#closeLast();
  }

  #closeLast(): void {
    const { at, hasEnglish, hasOther } = this.#open.pop()!;
    if (hasOther) this.#last.hasOther = true;
    else if (hasEnglish && at !== null) this.marks.push(at);
  }
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The text that markup stands for. */
const decoded = (source: string): string =>
  source.replace(/&(?:#x(?<hex>[\da-f]+)|#(?<decimal>\d+)|(?<name>\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
