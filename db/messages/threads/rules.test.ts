import { describe, expect, it } from 'vitest';
import type { Actor, Role } from '../../platform/people/rules.ts';
import {
  shownAuthor,
  type ThreadAccess,
  type ThreadType,
  whyNotDeleteMessage,
  whyNotPostMessage,
  whyNotSeeMessage,
  whyNotSeeThread,
} from './rules.ts';

const actor = (user_id: string, role: Role = 'developer'): Actor => ({
  user_id,
  username: user_id,
  role,
  scopes: 'all',
  interactive: true,
  email_verified: true,
});
const none = { member: null, reporter: false, participant: false };
const viewers = {
  visitor: [null, none],
  stranger: [actor('Strange1'), none],
  member: [actor('Member01'), { ...none, member: 'accepted' }],
  'pending member': [actor('Pending1'), { ...none, member: 'pending' }],
  reporter: [actor('Report01'), { ...none, reporter: true }],
  participant: [actor('Friend01'), { ...none, participant: true }],
  moderator: [actor('Moder001', 'moderator'), none],
  admin: [actor('Admin001', 'admin'), none],
} as const;
type Who = keyof typeof viewers;
const whos = Object.keys(viewers) as Who[];
const staff: Who[] = ['moderator', 'admin'];

/** Who sees a thread besides staff, and who of them writes in it. */
const insiders: Record<ThreadType, { see: Who[]; post: Who[] }> = {
  project: { see: ['member', 'pending member'], post: ['member'] },
  report: { see: ['reporter'], post: ['reporter'] },
  direct_message: { see: ['participant'], post: ['participant'] },
};
const types = Object.keys(insiders) as ThreadType[];
const accessOf = (type: ThreadType, who: Who, report_closed = false): ThreadAccess => ({
  ...viewers[who][1],
  type,
  report_closed,
});
const actorOf = (who: Who) => viewers[who][0] as Actor;

describe.each(types)('a thread of type %s', (type) => {
  const { see, post } = insiders[type];

  it.each(whos)('is visible to a %s as the table says', (who) => {
    const visible = [...see, ...staff].includes(who);
    expect(whyNotSeeThread(accessOf(type, who), viewers[who][0])).toBe(visible ? null : 'not_found');
  });

  it.each(whos.filter((who) => who !== 'visitor'))('takes messages of a %s as the table says', (who) => {
    const why = (is_private: boolean, closed = false) =>
      whyNotPostMessage(accessOf(type, who, closed), { private: is_private }, actorOf(who));
    if (staff.includes(who))
      return expect([why(false), why(true), why(false, true)]).toEqual([null, null, null]);
    if (!see.includes(who)) return expect([why(false), why(true)]).toEqual(['not_found', 'not_found']);
    if (!post.includes(who)) return expect(why(false)).toBe('not_a_member');
    return expect([why(false), why(true), why(false, true)]).toEqual([
      null,
      'message_private',
      'report_closed',
    ]);
  });

  it.each(whos.filter((who) => who !== 'visitor'))('lets a %s delete as the table says', (who) => {
    const own = actorOf(who).user_id;
    const message = { type: 'text', author_id: own, private: false, hide_identity: false };
    const why = (given: object) =>
      whyNotDeleteMessage(accessOf(type, who), { ...message, ...given }, actorOf(who));
    const all = [
      why({}),
      why({ author_id: 'Other001' }),
      why({ private: true }),
      why({ type: 'status_change' }),
    ];
    if (staff.includes(who)) return expect(all).toEqual([null, null, null, 'message_not_text']);
    if (!see.includes(who)) return expect(all).toEqual(Array(4).fill('not_found'));
    return expect(all).toEqual([null, 'not_yours', 'not_found', 'message_not_text']);
  });
});

it.each(whos)('shows private messages and hidden authors to a %s only when staff', (who) => {
  const viewer = viewers[who][0];
  const inside = staff.includes(who);
  expect(whyNotSeeMessage({ private: true }, viewer)).toBe(inside ? null : 'not_found');
  expect(whyNotSeeMessage({ private: false }, viewer)).toBeNull();
  expect(shownAuthor({ author_id: 'Moder001', hide_identity: true }, viewer)).toBe(
    inside ? 'Moder001' : null,
  );
  expect(shownAuthor({ author_id: 'Member01', hide_identity: false }, viewer)).toBe('Member01');
});
