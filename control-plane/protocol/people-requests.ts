import { z } from 'zod';
import { activityKinds, max_activity_page } from '#db/hosting/servers/activity/rules.ts';
import { activityEntry } from '#db/hosting/servers/activity/view.ts';
import { serverInvitation, serverPeople } from '#db/hosting/servers/people/view.ts';
import { memberRoles, serverRights } from '#db/hosting/servers/rights/rules.ts';
import type { RequestMap } from './ack.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const ofPerson = ofServer.extend({ user_id: id });
const granted = { role: z.enum(memberRoles), rights: z.array(z.enum(serverRights)).max(serverRights.length) };
const people = z.strictObject({ people: serverPeople });
const nothing = z.strictObject({});

/** Requests of panels about the people on a server and what they did. */
export const peopleRequests = {
  'people.list': { input: ofServer, output: people, limit: 'calls' },
  'people.invite': {
    input: ofServer.extend({ username: z.string().max(100), ...granted }),
    output: people,
    limit: 'calls',
  },
  'people.resend': { input: ofPerson, output: people, limit: 'calls' },
  /** Also of an invitation that was not answered yet. */
  'people.change': { input: ofPerson.extend(granted), output: people, limit: 'calls' },
  'people.remove': { input: ofPerson, output: people, limit: 'calls' },
  'people.leave': { input: ofServer, output: nothing, limit: 'calls' },
  /** The invitations of the user, to any server. */
  'people.invitations': {
    input: z.object({}),
    output: z.strictObject({ invitations: z.array(serverInvitation) }),
    limit: 'calls',
  },
  'people.answer': {
    input: ofServer.extend({ answer: z.enum(['accept', 'decline']) }),
    output: nothing,
    limit: 'calls',
  },
  /** Newest first; `next` is the `before` of the next answer. */
  'activity.list': {
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
  },
} as const satisfies RequestMap;
