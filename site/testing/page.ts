import { parseHTML } from 'linkedom';
import { type Offered, type Submission, submissionOf } from './form-submission.ts';
import { accessibleName, type Role, withRole } from './roles.ts';
import { isShown, textOf } from './shown.ts';

interface Wanted {
  /** The accessible name: exactly this text, or one that matches. */
  name?: string | RegExp;
  /** Of a heading. */
  level?: number;
  /** Only inside this element. */
  within?: Element;
}

/** Who follows the links and sends the forms of a page. */
interface Goes {
  go(submission: Submission): Promise<Page>;
}

interface Loaded {
  visitor: Goes;
  url: string;
  answer: Response;
  html: string;
}

/** A page as its HTML says, in a browser without scripts; queries by role give only what such a browser shows. */
export class Page {
  /** Path and query, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly #visitor: Goes;
  #document: Document | undefined;

  constructor({ visitor, url, answer, html }: Loaded) {
    this.url = url;
    this.status = answer.status;
    this.headers = answer.headers;
    this.html = html;
    this.#visitor = visitor;
  }

  get document(): Document {
    this.#document ??= parseHTML(this.html).document;
    return this.#document;
  }

  get title(): string {
    return this.document.title;
  }

  get main(): Element {
    return this.one('main');
  }

  /** The elements of a role that are shown, in order. */
  all(role: Role, { name, level, within }: Wanted = {}): Element[] {
    return withRole(within ?? this.document.body, role).filter(
      (element) =>
        (level === undefined || levelOf(element) === level) &&
        (name === undefined || matches(accessibleName(element), name)) &&
        isShown(element) &&
        !element.closest('[aria-hidden=true]'),
    );
  }

  /** The only such element; throws when there is none, or another one. */
  one(role: Role, wanted: Wanted = {}): Element {
    const found = this.all(role, wanted);
    if (found.length === 1) return found[0]!;
    const { name: _, ...rest } = wanted;
    const names = this.all(role, rest).map((element) => accessibleName(element));
    throw new Error(
      `${this.url} (${this.status}) has ${found.length} of ${role} ${wanted.name ?? ''}: ${JSON.stringify(names)}`,
    );
  }

  /** The innermost elements whose text is exactly this, or matches, and that are shown. */
  withText(text: string | RegExp, within: Element = this.document.body): Element[] {
    const fits = (element: Element) => matches(normalized(element.textContent), text);
    return [...within.querySelectorAll('*')].filter(
      (element) => fits(element) && ![...element.children].some(fits) && isShown(element),
    );
  }

  /** The text that is shown, of the whole page or inside an element. */
  text(within: Element = this.document.body): string {
    return textOf(within);
  }

  /** Goes where a link leads. */
  async follow(link: Element): Promise<Page> {
    const href = link.getAttribute('href');
    if (href === null) throw new Error(`Not a link: ${link.outerHTML.slice(0, 200)}`);
    const { pathname, search, hash, origin } = new URL(href, `http://page${this.url}`);
    const url = origin === 'http://page' ? pathname + search + hash : href;
    return await this.#visitor.go({ url, method: 'get', body: null });
  }

  /**
   * Sends the form of a button, with the values that its fields have, and `values` by name: a text, several, true or false
   * for a check box, a file. Throws for what the form does not offer.
   */
  async submit(button: Element, values: Record<string, Offered> = {}): Promise<Page> {
    return await this.#visitor.go(submissionOf(button, values, this.url));
  }
}

const matches = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);

const normalized = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

const levelOf = (element: Element): number =>
  Number(element.getAttribute('aria-level') ?? /^H([1-6])$/.exec(element.tagName)?.[1]);
