/** A `Source:` comment with an unknown target, or not of the form `hosting §5.3, §6 (a note); RFC 9110 §14.` */
export interface BrokenSource {
  path: string;
  line: number;
  reason: string;
}

/** The valid targets of `Source:` lines. */
export interface SpecificationIndex {
  /** Documents of `docs/spec` by name, with their section numbers: `hosting` -> `5.3`. */
  documents: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of standards and other external sources. */
  standards: readonly string[];
}

const heading = /^#+ ([A-Z]|(?:[A-Z]\.)?\d+[a-z]?(?:\.\d+)*) /gm;
const place = /^,? §(\w+(?:\.\w+)*)(?: \([^()]*\))?/;
const note = /^ \([^()]*\)/;
const end = /^(?:\.(?:\s|$)|\s*\*\/|\s*$)/;
const marker = /(?<![A-Za-z])Sources?:(?:\s|$)/;

/** Section numbers of a Markdown text: `## 5.3 Title` -> `5.3`. */
export function sectionsOf(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(heading)].map(([, number]) => number!));
}

/** Names in the first column of the table of external sources. */
export function standardsOf(markdown: string): string[] {
  const rows = [...markdown.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name!);
  return rows.filter((name) => !name.startsWith('-')).slice(1);
}

function inComment(line: string, at: number): boolean {
  return /^\s*(?:\*|--|\/\*)/.test(line) || /\/\/|\/\*/.test(line.slice(0, at));
}

/** Why the target after `Source:` is invalid, or null. */
function whyNotFound(text: string, index: SpecificationIndex): string | null {
  const names = [...index.documents.keys(), ...index.standards].sort((a, b) => b.length - a.length);
  let rest = text;
  for (;;) {
    const name = names.find((one) => rest.startsWith(one) && !/^\w/.test(rest.slice(one.length)));
    if (!name) return `no document or standard of this name: ${rest.slice(0, 40)}`;
    rest = rest.slice(name.length);
    const sections: string[] = [];
    for (let match = place.exec(rest); match; match = place.exec(rest)) {
      sections.push(match[1]!);
      rest = rest.slice(match[0].length);
    }
    if (!sections.length) rest = rest.replace(note, '');
    const known = index.documents.get(name);
    if (known && !sections.length) return `${name}: which section?`;
    const missing = known && sections.find((section) => !known.has(section));
    if (missing) return `${name} has no section ${missing}`;
    if (end.test(rest)) return null;
    if (!rest.startsWith('; '))
      return `not of the form "document §1, §2 (note); document §3.": ${rest.slice(0, 40)}`;
    rest = rest.slice(2);
  }
}

/** The text from column `at` on, with the next two lines where the comment wraps. */
function statement(lines: readonly string[], number: number, at: number): string {
  const parts = [lines[number]!.slice(at)];
  for (const next of lines.slice(number + 1, number + 3)) {
    const wrapped = /^\s*(?:\*(?!\/)|\/\/|--)\s?(.*)$/.exec(next);
    if (!wrapped || /(?:\.|\*\/)\s*$/.test(parts.at(-1)!)) break;
    parts.push(wrapped[1]!);
  }
  return parts
    .map((part) => part.trim())
    .join(' ')
    .trim();
}

/** The invalid `Source:` lines in a file's text. In Markdown every line is checked, else comments only. */
export function brokenSources(path: string, text: string, index: SpecificationIndex): BrokenSource[] {
  const lines = text.split('\n');
  return lines.flatMap((line, number) => {
    const found = marker.exec(line);
    if (!found || (!path.endsWith('.md') && !inComment(line, found.index))) return [];
    const reason = found[0].startsWith('Sources')
      ? 'write Source:, with several separated by ;'
      : whyNotFound(statement(lines, number, found.index + found[0].length), index);
    return reason ? [{ path, line: number + 1, reason }] : [];
  });
}
