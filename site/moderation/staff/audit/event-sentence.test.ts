import { describe, expect, test } from 'vitest';
import { messageKeys, messages } from '#content/messages.ts';
import { storedColumns } from '#db/catalogue/projects/stored-fields.ts';
import type { AuditName } from '#db/moderation/audit/names.ts';
import type { AuditEntry } from '#db/moderation/audit/read.ts';
import type { EventName } from '#db/platform/events/catalogue.ts';
import { definitionOf } from '#db/platform/events/catalogue.ts';
import { auditedEvents, eventKinds, eventsOf, kindOf } from './event-kinds.ts';
import { eventSentence, eventTexts, generalSentence } from './event-sentence.ts';

const english = messages('en-US');
const bare = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const name = (type: string, id: string, called: string): [string, AuditName] => [
  `${type}:${id}`,
  { type, id, name: called, slug: 'a' },
];
const names = new Map([
  name('user', 'User0001', 'willow'),
  name('project', 'Proj0001', 'Better Lamps'),
  name('server', 'Serv0001', 'Amber Fort'),
]);
const entry = (given: Partial<AuditEntry>): AuditEntry => ({
  ...{ event_id: 1, at: new Date(0), name: 'user.created', actor_id: 'User0002', actor: 'ada' },
  ...{ subject_type: 'user', subject_id: 'User0001', data: {}, ...given },
});
const said = (given: Partial<AuditEntry>) => bare(eventSentence(english, entry(given), names));

describe('an entry of the audit log', () => {
  test('says who did what to whom', () => {
    const server = { subject_type: 'server', subject_id: 'Serv0001' } as const;
    const project = { subject_type: 'project', subject_id: 'Proj0001' } as const;
    const by = { user_id: 'User0001', subscription_id: 'Subs0001' };
    const nobody = { actor: null, actor_id: null };
    const data = { ...by, from: 'active', to: 'grace', action: 'lapse' };
    expect(said({ ...server, ...nobody, name: 'subscription.moved', data })).toBe(
      'Amber Fort (willow) was suspended: the paid period is over',
    );
    const resumed = { ...by, from: 'cancelled', to: 'active' };
    expect(said({ ...server, name: 'subscription.moved', data: resumed })).toBe(
      'The cancellation of Amber Fort (willow) was undone',
    );
    expect(said({ name: 'plus.moved', data: resumed })).toBe(
      'The cancellation of Plus for willow was undone',
    );
    expect(said({ name: 'plus.moved', data: { ...resumed, from: 'failed' } })).toBe(
      'Plus for willow is active',
    );
    expect(said({ name: 'user.edited', data: { role: { from: 'developer', to: 'moderator' } } })).toBe(
      'ada gave willow the role moderator',
    );
    const ranked = { role: { from: 'developer', to: 'admin' }, badges: { from: 0, to: 1 }, fields: ['role'] };
    expect(said({ name: 'user.edited', data: ranked })).toBe(
      'ada gave willow the role administrator; ada changed the badges of willow',
    );
    expect(said({ ...project, name: 'project.moved', data: { from: 'processing', to: 'approved' } })).toBe(
      'ada approved Better Lamps',
    );
    const changed = { fields: ['title', 'icon_key', 'never_heard_of'] };
    expect(said({ ...project, name: 'project.edited', data: changed })).toBe(
      'ada edited the project Better Lamps: name and icon',
    );
    const money = { charge_id: 'Char0001', amount_minor: 1234, currency: 'USD' };
    expect(said({ name: 'charge.refunded', data: money })).toBe('ada refunded $12.34 to willow');
    expect(said({ ...server, name: 'server.power_requested', data: { action: 'stop' } })).toBe(
      'ada stopped the server',
    );
    expect(said({ name: 'user.noted', actor: null, subject_id: 'Gone0001' })).toBe(
      'A deleted account changed the staff note about [deleted]',
    );
    expect(said({ name: 'turned.inside_out' as EventName })).toBe(
      'ada did something this version can’t describe',
    );
  });

  test.each(auditedEvents)('%s has a sentence without codes, ids and gaps in its making', (one) => {
    const { subject } = definitionOf(one);
    const texts = [bare(generalSentence(english, one)), said({ name: one, subject_type: subject })];
    if (!one.startsWith('server.')) expect(eventTexts(one)).not.toEqual([]);
    for (const text of texts) {
      expect(text).not.toMatch(/[{}]|\w\.\w|_|Subs0001|User0001|no words for|undefined|null/);
      expect(text).toMatch(/^\S.*\S$/);
    }
  });

  test('is in one kind of the filter, which finds it', () => {
    expect(eventKinds.flatMap((kind) => eventsOf(kind)!).toSorted()).toEqual(auditedEvents.toSorted());
    for (const one of auditedEvents) {
      expect(eventsOf(one)).toEqual([one]);
      expect(eventsOf(kindOf(one))).toContain(one);
    }
    expect(eventsOf('')).toBeUndefined();
    expect(eventsOf('project.counted')).toBeUndefined();
  });

  test('names every field that members set', () => {
    const missing = storedColumns.filter((column) => !messageKeys.includes(`events.field_${column}`));
    expect(missing).toEqual([]);
  });
});
