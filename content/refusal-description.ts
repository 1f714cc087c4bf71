import { type RefusalCode, Refused, refusals } from '#db/platform/errors.ts';
import { dayFormat } from './days.ts';
import { type MessageKey, messages } from './messages.ts';

/** What is wrong, for people, in the language `locale`; null stands for a bug, of which nothing is said. */
export function refusalDescription(refused: Refused | null, locale: string): string {
  const { t, formatting } = messages(locale);
  if (!refused) return t('shell.problem_text');
  const values = Object.entries(refused.data).map(([key, value]) => {
    if (key === 'until') return [key, dayFormat(formatting).format(new Date(String(value)))];
    return [key, typeof value === 'number' ? value : String(value)];
  });
  return t(`error.${refused.code}` as MessageKey, Object.fromEntries(values));
}

/**
 * What a stored code means, for people, in the language `locale`. Agents may report codes without a text, and the values of
 * others are not stored with them: those stay as they are.
 */
export const codeDescription = (code: string, locale: string): string =>
  Object.hasOwn(refusals, code) && !refusals[code as RefusalCode][1].includes('{')
    ? refusalDescription(new Refused(code as RefusalCode), locale)
    : code;
