import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import { refusals } from '#db/errors.ts';
import { languageRows, textsOf } from './messages.ts';

type Element = ReturnType<NonNullable<typeof IntlMessageFormat.__parse>>[number];
const parse = (text: string) => IntlMessageFormat.__parse!(text, { ignoreTag: true });

/** Arguments of a message: their names and kinds. */
function requested(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === 0 || element.type === 7) return [];
    if (element.type === 8) return requested(element.children);
    if (element.type !== 5 && element.type !== 6) return [element.value];
    const kind = element.type === 5 ? 'select' : element.pluralType;
    const inside = Object.values(element.options).flatMap(({ value }) => requested(value));
    return [`${element.value} (${kind})`, ...inside];
  });
}

/** Every plural of a message: its kind and its cases, without exact numbers. */
function plurals(elements: readonly Element[]): Array<['cardinal' | 'ordinal', string[]]> {
  return elements.flatMap((element) => {
    if (element.type === 8) return plurals(element.children);
    if (element.type !== 5 && element.type !== 6) return [];
    const inside = Object.values(element.options).flatMap(({ value }) => plurals(value));
    const cases = Object.keys(element.options).filter((name) => !name.startsWith('='));
    return element.type === 6 ? [[element.pluralType ?? 'cardinal', cases], ...inside] : inside;
  });
}

const english: Record<string, string> = {
  ...Object.fromEntries(Object.entries(refusals).map(([code, [, text]]) => [`error.${code}`, text])),
  ...textsOf({ tag: 'en-US' }),
};
const translated = languageRows.filter(({ tag, pseudo, made }) => tag !== 'en-US' && !pseudo && !made);

test.each(translated)('$tag has every key of en-US and no other', (row) => {
  expect(Object.keys(textsOf(row)).sort()).toEqual(Object.keys(english).sort());
});

test.each(languageRows)('$tag has the same arguments as en-US in every message', (row) => {
  const texts = textsOf(row);
  const different = Object.entries(texts).filter(
    ([key, text]) =>
      String([...new Set(requested(parse(text)))].sort()) !==
      String([...new Set(requested(parse(english[key]!)))].sort()),
  );
  expect(different).toEqual([]);
});

test.each(languageRows)('$tag has every plural form of its language and no other', (row) => {
  const wanted = (type: 'cardinal' | 'ordinal') =>
    new Intl.PluralRules(row.formatting, { type }).resolvedOptions().pluralCategories.toSorted().join();
  const wrong = Object.entries(textsOf(row)).filter(([, text]) =>
    plurals(parse(text)).some(([type, cases]) => cases.toSorted().join() !== wanted(type)),
  );
  expect(wrong).toEqual([]);
});
