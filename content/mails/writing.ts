import { languageRows, messages } from '../messages.ts';
import type { MailSite, Writing } from './blocks.ts';

const max_quoted = 120;

/** How a mail is written in `locale`; a language that is not offered counts as en-US. */
export function writingOf(locale: string, site: MailSite): Writing {
  const found = messages(locale);
  const dir = languageRows.find(({ tag }) => tag === found.locale)?.dir ?? 'ltr';
  return {
    ...found,
    dir,
    site,
    url: (path) => `${site.url}${isPath(path) ? path : ''}`,
    quoted(text, max_length = max_quoted) {
      // programs make links of addresses in texts, which strangers may have written
      const line = text
        .replaceAll('://', ' ')
        .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim();
      const short = [...line].length > max_length ? `${[...line].slice(0, max_length).join('')}…` : line;
      return dir === 'rtl' ? `\u2068${short}\u2069` : short;
    },
  };
}

/** Whether `text` stays on the site when it follows its address. */
const isPath = (text: string): boolean => /^\/(?![/\\])[^\s\p{Cc}]*$/u.test(text);
