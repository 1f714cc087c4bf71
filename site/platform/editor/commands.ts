/**
 * What the buttons and shortcuts of the Markdown editor do to a text: pure functions from a text and a selection to one
 * change. Offsets are in UTF-16 units, as editors count.
 */
export interface Selected {
  from: number;
  to: number;
}
/** Replace `from` to `to` by `insert`; then `anchor` to `head` is selected. */
export interface TextEdit extends Selected {
  insert: string;
  anchor: number;
  head: number;
}
type Command = (text: string, at: Selected) => TextEdit;

const edit = (from: number, to: number, insert: string, [start, end]: [number, number]): TextEdit => ({
  from,
  to,
  insert,
  anchor: from + start,
  head: from + end,
});

/** Puts `mark` around the selection, or takes it away where it stands already. */
const around =
  (mark: string): Command =>
  (text, { from, to }) => {
    const size = mark.length;
    const inside = text.slice(from, to);
    if (inside.length >= 2 * size && isMarked(inside, mark))
      return edit(from, to, inside.slice(size, -size), [0, inside.length - 2 * size]);
    const [before, after] = [text.slice(0, from), text.slice(to)];
    if (isMarked(`${runBefore(before, mark)}x${runAfter(after, mark)}`, mark))
      return edit(from - size, to + size, inside, [0, inside.length]);
    // white space at the ends would break the marks
    const [start, middle] = [indentOf(inside), inside.trim()];
    const first = start.length + size;
    const end = inside.slice(start.length + middle.length);
    return edit(from, to, `${start}${mark}${middle}${mark}${end}`, [first, first + middle.length]);
  };

const indentOf = (text: string): string => text.slice(0, text.length - text.trimStart().length);

/** Whether `text` begins and ends with `mark`, and not with a longer run that means something else (`**` is no `*`). */
function isMarked(text: string, mark: string): boolean {
  const sign = mark[0]!;
  const run = (reversed: string[]) => {
    const end = reversed.findIndex((one) => one !== sign);
    return end === -1 ? 0 : end;
  };
  const [left, right] = [run([...text]), run([...text].reverse())];
  const fits = (length: number) => (mark === '*' ? length === 1 || length === 3 : length >= mark.length);
  return fits(left) && fits(right);
}
const runBefore = (text: string, [sign = '']: string) =>
  text.slice(text.length - runLength([...text].reverse(), sign));
const runAfter = (text: string, [sign = '']: string) => text.slice(0, runLength(text, sign));
function runLength(signs: Iterable<string>, sign: string): number {
  let length = 0;
  for (const one of signs) {
    if (one !== sign || length === 3) break;
    length++;
  }
  return length;
}

/** What a line of each kind begins with. */
const starts = {
  heading: /^#{1,6} /,
  quote: /^> ?/,
  task: /^[-*+] \[[ xX]\] /,
  list: /^[-*+] (?!\[[ xX]\] )/,
  numbered: /^\d{1,9}[.)] /,
} as const;
type LineKind = keyof typeof starts;
const anyItem = /^(?:[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] )/;

/** Makes every selected line one of `kind`, or plain again when all of them are. */
const lines =
  (kind: LineKind, startOf: (index: number) => string): Command =>
  (text, { from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1;
    const next = text.indexOf('\n', to);
    const end = next === -1 ? text.length : next;
    const old = text.slice(start, end).split('\n');
    const filled = old.filter((line) => line.trim() !== '');
    const isOn = filled.length > 0 && filled.every((line) => starts[kind].test(line.trimStart()));
    let index = 0;
    const changed = old.map((line) => {
      if (line.trim() === '' && old.length > 1) return line;
      const [indent, rest] = [indentOf(line), line.trimStart()];
      if (isOn) return indent + rest.replace(starts[kind], '');
      const bare = kind === 'quote' ? rest : rest.replace(kind === 'heading' ? starts.heading : anyItem, '');
      return indent + startOf(index++) + bare;
    });
    const insert = changed.join('\n');
    return edit(start, end, insert, from === to ? [insert.length, insert.length] : [0, insert.length]);
  };

/** A heading of the next level: none, 2, 3, 4, none. The first level is the title of the page. */
const heading: Command = (text, at) => {
  const start = text.lastIndexOf('\n', at.from - 1) + 1;
  const [, level = ''] = /^(#{1,6}) /.exec(text.slice(start, start + 7)) ?? [];
  const next = level.length < 2 ? 2 : level.length + 1;
  if (next <= 4 && level !== '') {
    const mark = `${'#'.repeat(next)} `;
    const shift = mark.length - level.length - 1;
    return {
      from: start,
      to: start + level.length + 1,
      insert: mark,
      anchor: Math.max(at.from + shift, start + mark.length),
      head: Math.max(at.to + shift, start + mark.length),
    };
  }
  return lines('heading', () => '## ')(text, at);
};

const code: Command = (text, at) =>
  text.slice(at.from, at.to).includes('\n') ? block(text, at, ['```\n', '\n```']) : around('`')(text, at);

/** A part with lines of its own, an empty line away from what stands around it. */
function block(
  text: string,
  { from, to }: Selected,
  [open, close]: [string, string],
  inside = text.slice(from, to),
): TextEdit {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  const first = lead.length + open.length;
  return edit(from, to, `${lead}${open}${inside}${close}${tail}`, [first, first + inside.length]);
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);

const link: Command = (text, { from, to }) => {
  const inside = text.slice(from, to);
  if (isAddress(inside)) return edit(from, to, `[](${inside})`, [1, 1]);
  const insert = `[${inside}](https://)`;
  const address = inside.length + 3;
  return edit(from, to, insert, inside === '' ? [1, 1] : [address, address + 'https://'.length]);
};

const image: Command = (text, { from, to }) => {
  const inside = text.slice(from, to);
  if (isAddress(inside)) return edit(from, to, `![](${inside})`, [2, 2]);
  return edit(from, to, `![${inside}](https://)`, [2, 2 + inside.length]);
};

const table: Command = (text, at) =>
  block(
    text,
    at,
    ['| ', ' |  |\n| --- | --- |\n|  |  |'],
    text.slice(at.from, at.to).replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space)),
  );

/** By the name of its button. */
export const commands = {
  bold: around('**'),
  italic: around('*'),
  strike: around('~~'),
  heading,
  quote: lines('quote', () => '> '),
  list: lines('list', () => '- '),
  numbered: lines('numbered', (index) => `${index + 1}. `),
  task: lines('task', () => '- [ ] '),
  code,
  link,
  image,
  table,
} as const satisfies Record<string, Command>;
export type CommandName = keyof typeof commands;

/** What Enter does at the end of an item or quote: begins the next one, or ends the list in an empty one; null elsewhere. */
export function continued(text: string, { from, to }: Selected): TextEdit | null {
  if (from !== to) return null;
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const line = text.slice(start, from);
  const [mark, indent = '', sign = '', box] =
    /^(\s*)((?:> ?)+|[-*+] |\d{1,9}[.)] )(\[[ xX]\] )?/.exec(line) ?? [];
  if (mark === undefined) return null;
  if (line.slice(mark.length).trim() === '') return edit(start, from, '', [0, 0]);
  const next = sign.replace(/^\d+/, (number) => String(Number(number) + 1));
  const insert = `\n${indent}${next}${box ? '[ ] ' : ''}`;
  return edit(from, from, insert, [insert.length, insert.length]);
}

/** Moves the selected items of a list in or out by two spaces; null where a line is no item, so that Tab leads on. */
export function indented(text: string, { from, to }: Selected, out: boolean): TextEdit | null {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  const end = next === -1 ? text.length : next;
  const old = text.slice(start, end).split('\n');
  if (!old.every((line) => anyItem.test(line.trimStart()))) return null;
  if (out && !old.some((line) => line.startsWith(' '))) return null;
  const changed = old.map((line) => (out ? line.replace(/^ {1,2}/, '') : `  ${line}`));
  const insert = changed.join('\n');
  if (from !== to) return edit(start, end, insert, [0, insert.length]);
  const place = Math.max(0, from - start + insert.length - (end - start));
  return edit(start, end, insert, [place, place]);
}
