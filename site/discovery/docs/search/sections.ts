/** A part of a handbook page that search can find: what stands below one heading, or above the first one. */
export interface Section {
  /** The title of the page. */
  page: string;
  /** The heading; the title of the page for what stands above the first heading. */
  heading: string;
  /** Address of the section, with a fragment below the first heading. */
  path: string;
  text: string;
}

/** A heading as Astro renders it. */
interface Heading {
  slug: string;
  text: string;
}

/** A section is read this far, so that one long page cannot fill the index. */
const max_text = 6_000;

/**
 * The sections of a page, from its Markdown and its rendered headings. Fails when they do not agree, since results would
 * lead to the wrong place.
 */
export function sectionsOf(
  { title, description, path, body }: { title: string; description: string; path: string; body: string },
  headings: readonly Heading[],
): Section[] {
  const [first = '', ...rest] = splitAtHeadings(body);
  if (rest.length !== headings.length)
    throw new Error(`${path}: ${rest.length} headings in the text, ${headings.length} on the page`);
  const section = (heading: string, fragment: string, text: string): Section => ({
    page: title,
    heading,
    path: path + fragment,
    text: plainText(text).slice(0, max_text),
  });
  return [
    section(title, '', `${description} ${first}`),
    ...rest.map((text, at) => section(headings[at]!.text, `#${headings[at]!.slug}`, text)),
  ].filter(({ heading, text }) => heading !== '' || text !== '');
}

/** The text before the first heading, then what follows each heading; `#` inside code begins none. */
function splitAtHeadings(body: string): string[] {
  const parts: string[][] = [[]];
  let fence: string | null = null;
  for (const line of body.split('\n')) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark && fence === null) fence = mark;
    else if (mark && fence !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    if (fence === null && /^#{1,6} /.test(line)) parts.push([]);
    else parts.at(-1)!.push(line);
  }
  return parts.map((lines) => lines.join('\n'));
}

/** Markdown as its words: without marks, addresses of links, comments and table lines. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/^\s*(```|~~~).*$/gm, ' ')
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*>]|\d+\.)\s+/gm, '')
    .replace(/\*\*|`/g, '')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
