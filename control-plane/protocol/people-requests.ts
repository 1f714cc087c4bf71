import { z } from 'zod';
import { serverActivity } from '#db/hosting/servers/activity/read.ts';
import { activityKinds, max_activity_page } from '#db/hosting/servers/activity/rules.ts';
import { activityEntry } from '#db/hosting/servers/activity/view.ts';
import { answerInvitation } from '#db/hosting/servers/people/invitations.ts';
import { peopleOf, serverInvitations } from '#db/hosting/servers/people/read.ts';
import { serverInvitation, serverPeople } from '#db/hosting/servers/people/view.ts';
import {
  changePerson,
  invitePerson,
  leaveServer,
  removePerson,
  resendInvitation,
} from '#db/hosting/servers/people/write.ts';
import { memberRoles, serverRights } from '#db/hosting/servers/rights/rules.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { RequestMap } from './ack.ts';
import { type Call, stored } from './stored.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const ofPerson = ofServer.extend({ user_id: id });
const granted = { role: z.enum(memberRoles), rights: z.array(z.enum(serverRights)).max(serverRights.length) };
const people = z.strictObject({ people: serverPeople });
const nothing = z.strictObject({});

const everybody = async ({ db, settings, actor, now }: Call<Pool>, { server_id }: { server_id: string }) => ({
  people: await peopleOf(db, settings, actor, server_id, now()),
});

/** Requests of panels about the people on a server and what they did. */
export const peopleRequests = {
  'people.list': stored({ input: ofServer, output: people, limit: 'calls', answer: everybody }),
  'people.invite': stored({
    input: ofServer.extend({ username: z.string().max(100), ...granted }),
    output: people,
    limit: 'calls',
    write: ({ db, actor, now }, message) => invitePerson(db, actor, message, now()),
    answer: everybody,
  }),
  'people.resend': stored({
    input: ofPerson,
    output: people,
    limit: 'calls',
    write: ({ db, actor, now }, message) => resendInvitation(db, actor, message, now()),
    answer: everybody,
  }),
  /** Also of an invitation that was not answered yet. */
  'people.change': stored({
    input: ofPerson.extend(granted),
    output: people,
    limit: 'calls',
    write: ({ db, actor, now }, message) => changePerson(db, actor, message, now()),
    answer: everybody,
  }),
  'people.remove': stored({
    input: ofPerson,
    output: people,
    limit: 'calls',
    write: ({ db, actor, now }, message) => removePerson(db, actor, message, now()),
    answer: everybody,
  }),
  'people.leave': stored({
    input: ofServer,
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, now }, { server_id }) => leaveServer(db, actor, server_id, now()),
    answer: () => ({}),
  }),
  /** The invitations of the user, to any server. */
  'people.invitations': stored({
    input: z.object({}),
    output: z.strictObject({ invitations: z.array(serverInvitation) }),
    limit: 'calls',
    answer: async ({ db, actor }) => ({ invitations: await serverInvitations(db, actor) }),
  }),
  'people.answer': stored({
    input: ofServer.extend({ answer: z.enum(['accept', 'decline']) }),
    output: nothing,
    limit: 'calls',
    write: ({ db, actor, now }, message) => answerInvitation(db, actor, message, now()),
    answer: () => ({}),
  }),
  /** Newest first; `next` is the `before` of the next answer. */
  'activity.list': stored({
    input: ofServer.extend({
      person: z.string().max(100).optional(),
      kind: z.enum(activityKinds).optional(),
      since: z.iso.datetime({ offset: true }).optional(),
      until: z.iso.datetime({ offset: true }).optional(),
      before: z.int().positive().optional(),
      limit: z.int().min(1).max(max_activity_page),
    }),
    output: z.strictObject({ entries: z.array(activityEntry), next: z.int().nullable() }),
    limit: 'calls',
    answer: ({ db, actor, now }, { since, until, ...filter }) =>
      serverActivity(
        db,
        actor,
        { ...filter, since: since ? new Date(since) : undefined, until: until ? new Date(until) : undefined },
        now(),
      ),
  }),
} as const satisfies RequestMap;
