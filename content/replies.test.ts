import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import { languageRows, textsOf } from './messages.ts';
import { repliesOf, replyText, replyTitle, replyVariables } from './replies.ts';

const names = Object.values(repliesOf).flat();
const known = new Set<string>(replyVariables);

/** The names in a text that nothing fills in. */
const unknownIn = (text: string): string[] =>
  IntlMessageFormat.__parse!(text, { ignoreTag: true }).flatMap((part) =>
    part.type !== 0 && 'value' in part && !known.has(part.value) ? [part.value] : [],
  );

test.each(languageRows)('replies in $tag name only what a thread knows', (row) => {
  const texts = textsOf(row) as Record<string, string>;
  for (const name of names) {
    const text = texts[replyText(name)];
    if (text !== undefined) expect([name, unknownIn(text)]).toEqual([name, []]);
  }
});

test('a name that no thread knows is found', () => {
  expect(unknownIn('About {item}, {project_owner}')).toEqual(['project_owner']);
});

test('every reply has a title and a text of its own', () => {
  const texts = textsOf({ tag: 'en-US' }) as Record<string, string>;
  expect(
    Object.keys(texts)
      .filter((key) => key.startsWith('replies.'))
      .sort(),
  ).toEqual(names.flatMap((name): string[] => [replyTitle(name), replyText(name)]).sort());
  expect(new Set(names.map((name) => texts[replyText(name)])).size).toBe(names.length);
});
