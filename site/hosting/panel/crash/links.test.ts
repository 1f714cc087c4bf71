import { expect, it } from 'vitest';
import { messageKeys } from '#content/messages.ts';
import { crashRules } from '#db/hosting/servers/crashes/data/causes.ts';
import type { Finding } from '#db/hosting/servers/crashes/view.ts';
import { helpOf } from './links.ts';

const keys: readonly string[] = messageKeys;
const finding = (given: Partial<Finding>): Finding => ({
  ...{ cause: 'mixin_failed', what: '', link: 'content', path: null, line: 1, excerpt: '' },
  ...given,
});

it.each(crashRules.map(({ cause, link }) => [cause, link] as const))(
  '%s has texts and a page',
  (cause, link) => {
    expect(keys).toContain(`crash_help.cause_${cause}`);
    expect(keys).toContain(`crash_help.do_${cause}`);
    const help = helpOf((path) => path, 'S1', finding({ cause, link }));
    expect(help === null).toBe(link === null);
    if (help) expect(keys).toContain(help.text);
  },
);

it('searches content for what the cause is about, in the language of the page', () => {
  expect(helpOf((path) => `${path}?hl=de-DE`, 'S1', finding({ what: 'a&b' }))).toEqual({
    ...{ href: '/servers/manage/S1/content?hl=de-DE&find=a%26b', text: 'crash_help.go_content_of' },
  });
  expect(helpOf((path) => path, 'S1', finding({ link: 'startup', what: '21' }))?.href).toBe(
    '/servers/manage/S1/options/startup',
  );
});
