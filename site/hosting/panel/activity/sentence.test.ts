import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import { playersActions } from '#db/hosting/servers/players/rules.ts';
import { hostingEvents } from '#db/platform/events/hosting.ts';
import { messageReader } from '../../../platform/text/message-reader.ts';
import { activitySentence } from './sentence.ts';

const labels = messageReader(
  islandMessages(messages('en-US'), 'server_activity.', 'server_access.'),
) as never;
const entry = (given: Partial<ActivityEntry>): ActivityEntry => ({
  ...{ id: 1, at: '2026-11-26T12:00:00.000Z', kind: 'server', name: 'server.crashed', by: 'person' },
  ...{ username: 'ada', member: null, data: {}, ...given },
});
const sentence = (given: Partial<ActivityEntry>) =>
  activitySentence(labels, entry(given)).replace(/[\u2068\u2069]/g, '');

it('says who did what to whom', () => {
  expect(sentence({ name: 'server.power_requested', data: { action: 'stop' } })).toBe(
    'ada stopped the server',
  );
  expect(sentence({ name: 'server.command_sent', data: { text: 'op bob', skipped: 0 } })).toBe(
    'ada ran a command: op bob',
  );
  const paths = ['a', 'b'];
  expect(sentence({ name: 'server.files_changed', data: { action: 'delete', paths, count: 9 } })).toBe(
    'ada moved a, b and 7 more to the trash',
  );
  expect(
    sentence({
      name: 'server.member_invited',
      member: 'bob',
      data: { rights: ['files', 'console'], role: 'x' },
    }),
  ).toBe('ada invited bob: Files, Console');
  expect(sentence({ name: 'server.suspended', by: 'staff', username: null })).toBe(
    'Staff suspended the server',
  );
  expect(sentence({ name: 'server.renamed', username: null, data: { from: 'A', to: 'B' } })).toBe(
    'A deleted account renamed the server from A to B',
  );
});

it('says what was done to players and with which content', () => {
  for (const action of playersActions)
    expect(sentence({ name: 'server.players_changed', data: { action, who: 'bob' } })).not.toMatch(
      /server\.|[{}]/,
    );
  expect(sentence({ name: 'server.players_changed', data: { action: 'ban', who: 'bob' } })).toBe(
    'ada banned bob',
  );
  const names = ['Lanternroot', 'Fern'];
  const installed = (data: object) =>
    sentence({ name: 'server.change_requested', data: { kind: 'install', ...data } });
  expect(installed({ names, count: 5 })).toBe('ada installed Lanternroot, Fern and 3 more');
  expect(installed({ count: 1 })).toBe('ada installed content');
});

it('names an event that has no sentence', () => {
  expect(sentence({ name: 'server.turned_inside_out' })).toBe('ada: server.turned_inside_out');
});

it('has a sentence without gaps for the events of this version', () => {
  const port = { port: 25565, name: 'a', from: 'a', to: 'b' };
  const domain = { domain: 'a.example' };
  const variants: Record<string, object> = {
    'server.power_requested': { action: 'start' },
    'server.change_requested': { kind: 'install' },
    'server.files_changed': { action: 'write', paths: ['a'], count: 1 },
    'server.renamed': { from: 'a', to: 'b' },
    'server.backup_renamed': { from: 'a', to: 'b' },
    'server.properties_changed': { keys: ['a'] },
    'server.command_sent': { text: 'a' },
    ...{ 'server.port_added': port, 'server.port_renamed': port, 'server.port_removed': port },
    'server.port_changed': { from: 25565, to: 25570 },
    ...{ 'server.domain_set': domain, 'server.domain_removed': domain },
    ...{ 'server.domain_verified': domain, 'server.domain_lost': domain },
    ...{ 'server.players_changed': { action: 'ban', who: 'a' }, 'server.log_shared': { name: 'a' } },
  };
  const missing = Object.keys(hostingEvents)
    .filter((name) => name.startsWith('server.'))
    .map((name) =>
      sentence({
        name,
        member: 'bob',
        data: { ...(name.includes('schedule') ? { name: 'a' } : {}), ...variants[name] },
      }),
    )
    .filter((text) => /[{}]|server\./.test(text));
  expect(missing).toEqual([]);
});
