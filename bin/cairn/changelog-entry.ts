import { type ChangeGroup, changeGroups, headingsIn, partsOfEntry } from '#content/changelog-entries.ts';

/** What a new entry of the changelog says, or what is added to one. */
export interface EntryText {
  title?: string | undefined;
  version?: string | undefined;
  /** Single changes by group, each a line of Markdown. */
  changes: Partial<Record<ChangeGroup, readonly string[]>>;
  /** Finished Markdown without problems: paragraphs, then groups of its own. */
  body?: string | undefined;
}

/**
 * The text of a file with these changes; `existing`: the text without problems that they are added to, group by group. It
 * keeps its title and version.
 */
export function entryText({ title, version, changes, body = '' }: EntryText, existing = ''): string {
  const before = partsOfEntry(existing);
  const matter = before.matter.length > 0 ? before.matter : frontMatter({ title, version });
  const given = [before.body, body.split(/\r?\n/)].map(groupsOf);
  const sections = ([null, ...changeGroups] as const).flatMap((group) => {
    const listed = group
      ? (changes[group] ?? []).map((change) => `- ${oneLine(change).replace(/^[-*] /, '')}`)
      : [];
    const text = [...given.map((groups) => groups.get(group) ?? ''), listed.join('\n')].reduce(joined);
    if (text === '') return [];
    return group ? `## ${group}\n\n${text}` : text;
  });
  return `${[...(matter.length > 0 ? [matter.join('\n')] : []), ...sections].join('\n\n')}\n`;
}

function frontMatter(values: { title?: string | undefined; version?: string | undefined }): string[] {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(oneLine(value))}`],
  );
  return lines.length > 0 ? ['---', ...lines, '---'] : [];
}

/** The text below each heading of a body; what stands above the first one is under null. */
function groupsOf(body: readonly string[]): Map<string | null, string> {
  const starts = [{ at: -1, text: null }, ...headingsIn(body)];
  return new Map(
    starts.map(({ at, text }, number) => {
      const lines = body.slice(at + 1, starts[number + 1]?.at);
      return [text, lines.join('\n').trim()];
    }),
  );
}

/** Two texts below each other; two lists become one. */
function joined(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  const last = first.slice(first.lastIndexOf('\n') + 1);
  return `${first}${/^(- | {2})/.test(last) && second.startsWith('- ') ? '\n' : '\n\n'}${second}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
