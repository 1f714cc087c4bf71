import type { MessageKey } from './keys.ts';
import { messages, type Translate } from './messages.ts';

/** The name of an issue type; types of other scanners are shown as they are. */
export function issueName(t: Translate, issue_type: string): string {
  const key = `technical_review.issue_${issue_type}` as MessageKey;
  const name = t(key);
  return name === key ? issue_type.replaceAll('_', ' ') : name;
}

/**
 * What technical review writes to the thread of a project. Threads have one language for all of their readers, so that it is
 * English. What creators wrote stays apart from the sentence, also from its Markdown.
 */
export const reviewWords = {
  held({ version_number, issue_types }: { version_number: string; issue_types: readonly string[] }): string {
    const { t } = messages('en-US');
    const found = issue_types.map((type) => issueName(t, type)).join(', ');
    return t('technical_review.held_message', { version: code(version_number), found });
  },
  attribution(files: readonly string[]): string {
    const { t } = messages('en-US');
    return t('attribution.message', { files: files.slice(0, 50).map(code).join(', ') });
  },
  unread(version_number: string): string {
    const { t } = messages('en-US');
    return t('technical_review.unread_message', { version: code(version_number) });
  },
  released(version_numbers: readonly string[]): string {
    const { t } = messages('en-US');
    const versions = version_numbers.map(code).join(', ');
    return t('technical_review.released_message', { count: version_numbers.length, versions });
  },
};

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;
