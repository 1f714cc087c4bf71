import { describe, expect, test } from 'vitest';
import { type CommandName, commands, continued, indented, type TextEdit } from './commands.ts';

/** A text in which `‹` and `›`, or `|` for both, stand for the selection. */
function parse(marked: string) {
  const from = marked.search(/[‹¦]/);
  const bare = marked.replace('¦', '').replace('‹', '');
  const to = marked.includes('¦') ? from : bare.indexOf('›');
  return { text: bare.replace('›', ''), at: { from, to } };
}
function applied(text: string, { from, to, insert, anchor, head }: TextEdit): string {
  const after = text.slice(0, from) + insert + text.slice(to);
  return anchor === head
    ? `${after.slice(0, anchor)}¦${after.slice(anchor)}`
    : `${after.slice(0, anchor)}‹${after.slice(anchor, head)}›${after.slice(head)}`;
}
const run = (name: CommandName, marked: string) => {
  const { text, at } = parse(marked);
  return applied(text, commands[name](text, at));
};

describe('buttons', () => {
  test.each<[CommandName, string, string]>([
    ['bold', 'a ‹stone› b', 'a **‹stone›** b'],
    ['bold', 'a ‹stone › b', 'a **‹stone›**  b'],
    ['bold', 'a **‹stone›** b', 'a ‹stone› b'],
    ['bold', 'a ‹**stone**› b', 'a ‹stone› b'],
    ['bold', '¦', '**¦**'],
    ['italic', 'a **‹stone›** b', 'a ***‹stone›*** b'],
    ['italic', 'a ***‹stone›*** b', 'a **‹stone›** b'],
    ['italic', '*‹stone›*', '‹stone›'],
    ['strike', '‹old›', '~~‹old›~~'],
    ['strike', '~~‹old›~~', '‹old›'],
    ['heading', 'Ti¦tle', '## Title¦'],
    ['heading', '## Title¦', '### Title¦'],
    ['heading', '#### Title¦', 'Title¦'],
    ['quote', '‹a\n\nb›', '‹> a\n\n> b›'],
    ['quote', '‹> a\n> b›', '‹a\nb›'],
    ['list', 'x\n‹a\nb›', 'x\n‹- a\n- b›'],
    ['list', '‹1. a\n2. b›', '‹- a\n- b›'],
    ['list', '- a¦', 'a¦'],
    ['numbered', '‹- a\n- b›', '‹1. a\n2. b›'],
    ['task', '‹a\n- b›', '‹- [ ] a\n- [ ] b›'],
    ['task', '- [x] a¦', 'a¦'],
    ['list', '- [x] a¦', '- a¦'],
    ['code', 'a ‹b› c', 'a `‹b›` c'],
    ['code', 'x\n‹a\nb›', 'x\n\n```\n‹a\nb›\n```'],
    ['link', 'see ‹here›', 'see [here](‹https://›)'],
    ['link', '‹https://a.example/b›', '[¦](https://a.example/b)'],
    ['link', '¦', '[¦](https://)'],
    ['image', '‹https://a.example/b.png›', '![¦](https://a.example/b.png)'],
    ['image', 'x ¦', 'x ![¦](https://)'],
    ['table', 'a\n¦', 'a\n\n| ¦ |  |\n| --- | --- |\n|  |  |'],
  ])('%s: %s', (name, before, after) => {
    expect(run(name, before)).toBe(after);
  });

  test('marks around marks are taken away by the same button twice', () => {
    for (const name of ['bold', 'italic', 'strike', 'code'] as const) {
      const { text, at } = parse('a ‹b c› d');
      const once = commands[name](text, at);
      const marked = text.slice(0, once.from) + once.insert + text.slice(once.to);
      const twice = commands[name](marked, { from: once.anchor, to: once.head });
      expect(marked.slice(0, twice.from) + twice.insert + marked.slice(twice.to), name).toBe(text);
    }
  });
});

describe('Enter', () => {
  const enter = (marked: string) => {
    const { text, at } = parse(marked);
    const edit = continued(text, at);
    return edit && applied(text, edit);
  };
  test.each<[string, string | null]>([
    ['- a¦', '- a\n- ¦'],
    ['  * a¦', '  * a\n  * ¦'],
    ['9. a¦', '9. a\n10. ¦'],
    ['- [x] a¦', '- [x] a\n- [ ] ¦'],
    ['> a¦', '> a\n> ¦'],
    ['- a\n- ¦', '- a\n¦'],
    ['plain¦', null],
    ['‹- a›', null],
  ])('%s', (before, after) => {
    expect(enter(before)).toBe(after);
  });
});

describe('Tab', () => {
  const tab = (marked: string, out = false) => {
    const { text, at } = parse(marked);
    const edit = indented(text, at, out);
    return edit && applied(text, edit);
  };
  test('moves items of a list in and out, and leads on elsewhere', () => {
    expect(tab('- a¦')).toBe('  - a¦');
    expect(tab('  - a¦', true)).toBe('- a¦');
    expect(tab('‹- a\n- b›')).toBe('‹  - a\n  - b›');
    expect(tab('plain¦')).toBeNull();
    expect(tab('- a¦', true)).toBeNull();
    expect(tab('‹- a\nplain›')).toBeNull();
  });
});
