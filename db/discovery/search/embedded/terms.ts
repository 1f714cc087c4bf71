import type { SearchDocument } from '../engine.ts';
import { joinedTerms, tokens } from '../query/tokenize.ts';
import type { Sections } from './sections.ts';
import { byBytes, writeStrings } from './string-table.ts';

/** Fields of a word in a document, as bits of a posting. */
export const fields = {
  title_first: 1,
  title: 2,
  joined: 4,
  person: 8,
  category: 16,
  summary: 32,
  slug: 64,
} as const;
export const fieldBits = 7;
/** Fields whose postings are in the first array, so that short prefixes skip the others. */
export const firstFields = fields.title_first | fields.title | fields.joined | fields.slug | fields.person;

/** The text properties of a document. */
export const textProperties = [
  'title',
  'slug',
  'author',
  'organization',
  'categories',
  'description',
] as const;
export type TextProperty = (typeof textProperties)[number];

/** The terms of one property and their fields. Source: search §3. */
function termsOf(property: TextProperty, text: string): Array<readonly [term: string, field: number]> {
  const words = tokens(text);
  const as = (field: number) => words.map((word) => [word, field] as const);
  if (property === 'slug') return as(fields.slug);
  if (property === 'author' || property === 'organization') return as(fields.person);
  if (property === 'categories') return as(fields.category);
  if (property === 'description') return as(fields.summary);
  const title = words.map((word, i) => [word, i === 0 ? fields.title_first : fields.title] as const);
  return [...title, ...joinedTerms(text).map((term) => [term, fields.joined] as const)];
}

interface Postings {
  first: number[];
  second: number[];
}

/** Collects terms with their fields and documents. */
export class TermsWriter {
  readonly #postings = new Map<string, Postings>();
  #document = 0;
  #current = new Map<string, number>();

  /** Starts the next document; documents come in ascending order. */
  begin(document: number): void {
    this.#flush();
    this.#document = document;
  }

  add(property: TextProperty, text: SearchDocument[TextProperty]): void {
    for (const part of [text ?? []].flat())
      for (const [term, field] of termsOf(property, part))
        this.#current.set(term, (this.#current.get(term) ?? 0) | field);
  }

  /**
   * Writes terms, postings (`document << 7 | fields`, by term) and document frequencies. Gives the sorted terms, and
   * those of titles and people.
   */
  write(sections: Sections): { terms: string[]; titled: string[] } {
    this.#flush();
    const terms = [...this.#postings.keys()].sort(byBytes);
    const list = terms.map((term) => this.#postings.get(term) as Postings);
    writeStrings(sections, 'terms', terms);
    for (const half of ['first', 'second'] as const) {
      const starts = new Uint32Array(terms.length + 1);
      list.forEach((postings, i) => {
        starts[i + 1] = (starts[i] as number) + postings[half].length;
      });
      const all = new Uint32Array(starts.at(-1) ?? 0);
      list.forEach((postings, i) => {
        all.set(postings[half], starts[i]);
      });
      sections.set(`postings.${half}`, all).set(`postings.${half}_start`, starts);
    }
    sections.set('terms.documents', Uint32Array.from(list, documentsOf));
    return { terms, titled: terms.filter((_, i) => (list[i] as Postings).first.length > 0) };
  }

  #flush(): void {
    for (const [term, at] of this.#current) {
      const known = this.#postings.get(term);
      const postings = known ?? { first: [], second: [] };
      if (!known) this.#postings.set(term, postings);
      const [first, second] = [at & firstFields, at & ~firstFields];
      const document = this.#document * 2 ** fieldBits;
      if (first) postings.first.push(document + first);
      if (second) postings.second.push(document + second);
    }
    this.#current = new Map();
  }
}

/** Number of documents with a term: one that is in both arrays counts once. */
function documentsOf({ first, second }: Postings): number {
  const [one, other] = first.length < second.length ? [first, second] : [second, first];
  const documents = new Set(one.map((posting) => posting >>> fieldBits));
  return documents.size + other.filter((posting) => !documents.has(posting >>> fieldBits)).length;
}
