import { expect, test } from 'vitest';
import { languageRows, textsOf } from './messages.ts';
import { argumentsOf, parseMessage } from './translations.ts';

type Element = ReturnType<typeof parseMessage>[number];

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

const english = textsOf({ tag: 'en-US' });
const generated = languageRows.filter(({ pseudo, made }) => pseudo || made);

// those of translators are compared by `bin/translation-report.ts`
test.each(generated)('$tag, which is generated, has the arguments of en-US in every message', (row) => {
  const texts = textsOf(row);
  const different = Object.entries(english).filter(
    ([key, text]) => String(argumentsOf(texts[key] ?? '')) !== String(argumentsOf(text)),
  );
  expect(different).toEqual([]);
});

test.each(languageRows)('$tag has every plural form of its language and no other', (row) => {
  const wanted = (type: 'cardinal' | 'ordinal') =>
    new Intl.PluralRules(row.formatting, { type }).resolvedOptions().pluralCategories.toSorted().join();
  const wrong = Object.entries(textsOf(row)).filter(([, text]) =>
    plurals(parseMessage(text)).some(([type, cases]) => cases.toSorted().join() !== wanted(type)),
  );
  expect(wrong).toEqual([]);
});
