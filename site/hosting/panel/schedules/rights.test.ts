import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { type MemberRole, roleRights } from '#db/hosting/servers/rights/rules.ts';
import type { ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { MessagesProvider } from '../../../platform/text/MessagesContext.tsx';
import { $access } from '../core/panel.store.ts';
import { panelTexts } from '../panel-texts.ts';
import { ScheduleList } from './ScheduleList.tsx';
import { timeText } from './schedule-text.ts';

/** Its types want the children among the props. */
const h = createElement as (type: unknown, props: object, ...children: unknown[]) => ReactElement;
const reason = 'You don&#x27;t have this permission on this server.';
const nightly = {
  ...{ id: 'S1', name: 'Nightly', cron: '0 4 * * *', timezone: 'UTC', enabled: true, broken: null },
  ...{ last_run: null, next_runs: [], only_when_empty: false, only_when_running: false },
  ...{ steps: [{ kind: 'backup' }], on_failure: 'stop' },
} as unknown as ScheduleView;

afterEach(() => $access.set(null));

function rendered(role: MemberRole, schedules: ScheduleView[]): string {
  $access.set({ owner: false, rights: [...roleRights[role]] });
  const texts = islandMessages(messages('en-US'), ...panelTexts('schedules'));
  const list = h(ScheduleList, { schedules, isOpen: true });
  return renderToStaticMarkup(h(MessagesProvider, { messages: texts, query: '' }, list));
}
const buttons = (html: string) => html.match(/<button class="btn[^>]*>/g) ?? [];

it.each([[[]], [[nightly]]])(
  'who has no right to schedules is told so before they begin one',
  (schedules) => {
    const makers = (html: string) => buttons(html).filter((one) => !one.includes('popover'));
    const forViewer = makers(rendered('viewer', schedules));
    expect(forViewer.length).toBeGreaterThan(0);
    for (const one of forViewer) {
      expect(one).toContain('aria-disabled="true"');
      expect(one.replaceAll('’', '&#x27;')).toContain(reason);
    }
    for (const one of makers(rendered('editor', schedules))) expect(one).toContain('aria-disabled="false"');
  },
);

it('a schedule is switched by who has the right only', () => {
  expect(rendered('viewer', [nightly])).toMatch(/<input class="toggle"[^>]*disabled=""/);
  expect(rendered('editor', [nightly])).not.toMatch(/<input class="toggle"[^>]*disabled=""/);
});

it('times are written as in the rest of the panel', () => {
  expect(timeText('en-US', '2026-11-27T04:00:00Z', 'UTC')).toBe('Fri, Nov 27, 4:00 AM');
  expect(timeText('de-DE', '2026-11-27T04:00:00Z', 'UTC')).toContain('04:00');
});
