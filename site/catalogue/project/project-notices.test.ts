import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { statuses, statusTraits } from '#db/catalogue/projects/rules.ts';
import { noticeOf } from './project-notices.ts';

const { t } = messages('en-US');

test.each([
  ...statuses.filter((status) => statusTraits[status].hidden).map((status) => [status, false] as const),
  ['rejected', true] as const,
])(
  'the notice of a hidden project (%s, legal hold: %s) names everybody who sees its page',
  (status, held) => {
    const text = t(noticeOf(status, held)!.text);
    expect(text).toMatch(/only project members and moderators can see this page/i);
  },
);
