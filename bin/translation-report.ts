import { join } from 'node:path';
import { TranslationFiles } from '#content/translation-files.ts';
import { refusals } from '#db/platform/errors.ts';
import { root } from './install.mjs';

/** The translations of this repository. */
export const translationFiles = (): TranslationFiles =>
  new TranslationFiles(
    join(root, 'content'),
    Object.fromEntries(Object.entries(refusals).map(([code, [, text]]) => [`error.${code}`, text])),
  );

/** What must be cleaned before a commit, and how far each language is behind en-US, a line each. */
export function translationReport(files: TranslationFiles): { problems: string[]; behind: string[] } {
  const states = files.tags.map((tag) => ({ tag, ...files.state(tag) }));
  return {
    problems: states.flatMap(({ tag, unusable, unrecorded }) => [
      ...unusable.map(({ key, reason }) => `${tag}: ${key}: ${reason}`),
      ...unrecorded.map((key) => `${tag}: ${key}: a new translation, whose English text is not recorded`),
    ]),
    behind: states.map(
      ({ tag, lacking, outdated }) => `${tag}: ${lacking.length} texts lack, ${outdated.length} are outdated`,
    ),
  };
}
