import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';
import { foundPieces, foundText } from './titles.ts';

test.each(['en-US', 'de-DE', 'ar-SA'])('the parts of a count add up to the count, in %s', (locale) => {
  const spoken = messages(locale);
  for (const kind of projectTypes)
    for (const total of [0, 1, 2, 7, 40, 100, 12_345])
      expect(foundPieces(spoken, kind, total).join('')).toBe(foundText(spoken, kind, total));
});
