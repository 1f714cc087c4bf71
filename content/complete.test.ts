import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import { refusals } from '#db/errors.ts';
import { languageRows, textsOf } from './messages.ts';

type Element = ReturnType<NonNullable<typeof IntlMessageFormat.__parse>>[number];
const parse = (text: string) => IntlMessageFormat.__parse!(text, { ignoreTag: true });

/** What a message asks for: the name of every argument, with the kind of choice made by it. */
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

/** Every plural of a message: its kind and the cases it has words for, exact numbers left out. */
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

test.each(translated)('$tag says everything that en-US says, and nothing else', (row) => {
  expect(Object.keys(textsOf(row)).sort()).toEqual(Object.keys(english).sort());
});

test.each(languageRows)('$tag asks for the same values as en-US in every message', (row) => {
  const texts = textsOf(row);
  const different = Object.entries(texts).filter(
    ([key, text]) =>
      String([...new Set(requested(parse(text)))].sort()) !==
      String([...new Set(requested(parse(english[key]!)))].sort()),
  );
  expect(different).toEqual([]);
});

test.each(languageRows)('$tag has words for every plural of its language, and for no other', (row) => {
  const wanted = (type: 'cardinal' | 'ordinal') =>
    new Intl.PluralRules(row.formatting, { type }).resolvedOptions().pluralCategories.toSorted().join();
  const wrong = Object.entries(textsOf(row)).filter(([, text]) =>
    plurals(parse(text)).some(([type, cases]) => cases.toSorted().join() !== wanted(type)),
  );
  expect(wrong).toEqual([]);
});
