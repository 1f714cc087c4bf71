import { serverActivity } from '#db/hosting/servers/activity/read.ts';
import { answerInvitation } from '#db/hosting/servers/people/invitations.ts';
import { peopleOf, serverInvitations } from '#db/hosting/servers/people/read.ts';
import {
  changePerson,
  invitePerson,
  leaveServer,
  removePerson,
  resendInvitation,
} from '#db/hosting/servers/people/write.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type PeopleHandlers = {
  [E in keyof All as E extends `people.${string}` | 'activity.list' ? E : never]: All[E];
};

/** The handlers of requests about the people on a server and what they did. */
export function peopleHandlers({ context }: PanelServices, asUser: AsUser): PeopleHandlers {
  const { sql, now, settings } = context;
  /** A change, answered with everybody on the server afterwards. */
  const changing = <M extends { server_id: string }>(
    change: (tx: Db, actor: Parameters<typeof peopleOf>[2], message: M, at: Date) => Promise<unknown>,
  ) =>
    asUser(async (actor, message: M) => {
      await sql.begin((tx) => change(tx, actor, message, now()));
      return { people: await peopleOf(sql, settings, actor, message.server_id, now()) };
    });
  return {
    'people.list': asUser(async (actor, { server_id }) => ({
      people: await peopleOf(sql, settings, actor, server_id, now()),
    })),
    'people.invite': changing(invitePerson),
    'people.resend': changing(resendInvitation),
    'people.change': changing(changePerson),
    'people.remove': changing(removePerson),
    'people.leave': asUser(async (actor, { server_id }) => {
      await sql.begin((tx) => leaveServer(tx, actor, server_id, now()));
      return {};
    }),
    'people.invitations': asUser(async (actor) => ({ invitations: await serverInvitations(sql, actor) })),
    'people.answer': asUser(async (actor, message) => {
      await sql.begin((tx) => answerInvitation(tx, actor, message, now()));
      return {};
    }),
    'activity.list': asUser((actor, { since, until, ...filter }) =>
      serverActivity(
        sql,
        actor,
        { ...filter, since: since ? new Date(since) : undefined, until: until ? new Date(until) : undefined },
        now(),
      ),
    ),
  };
}
