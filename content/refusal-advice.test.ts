import { expect, test } from 'vitest';
import { refusals } from '#db/platform/errors.ts';
import { refusalAdvice as sections } from './refusal-advice.ts';

/** `/docs/api/errors` says of every refusal what to do about it: a new code is added here. */
const explained = sections.flatMap(({ advice }) => advice.flatMap(({ codes }) => codes));

test('every refusal is explained once', () => {
  expect(explained.toSorted()).toEqual(Object.keys(refusals).sort());
});

test('advice is a sentence and is about something', () => {
  for (const { advice } of sections)
    for (const { do: remedy, codes } of advice) {
      expect(remedy).toMatch(/^[A-Z][^{}]+[.]$/);
      expect([remedy, codes.length > 0]).toEqual([remedy, true]);
    }
});
