import { z } from 'zod';
import { openInvitation } from '#db/catalogue/members/invitation.ts';
import { accessToOrganization } from '#db/catalogue/organizations/access.ts';
import { accessTo } from '#db/catalogue/teams/access.ts';
import { isMember, organizationPermissionsOf, permissionsOf } from '#db/catalogue/teams/rules.ts';
import { isBot } from '#db/discovery/analytics/sources.ts';
import { mailMode } from '#db/messages/mail/queue.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { viewerAccount } from '#db/platform/people/viewer.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { browserSession } from '../../platform/http/browser-session.ts';
import { countryInHeader } from '../../platform/http/country-header.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import { privateJson } from '../../platform/route/private-json.ts';
import type { Api } from '../../platform/route/types.ts';

const id = z.string().max(11);
const bodyShape = z.object({
  /** The project of the page. */
  project: id.optional(),
  /** The organization of the page. */
  organization: id.optional(),
  /** Other projects on the page, and the person of a profile, for their buttons to follow and save. */
  projects: z.array(id).max(200).default([]),
  /** The ad that the page shows to visitors who are not signed in. */
  ad: z.string().max(64).optional(),
});

const membershipShape = z.object({ permissions: z.int(), member: z.boolean() });

export const viewerShape = z.object({
  user: z
    .object({ id: z.string(), username: z.string(), avatar_url: z.string().nullable(), role: z.string() })
    .nullable(),
  /** Permissions on `project`; null for anonymous visitors and users without any. */
  project: membershipShape.nullable(),
  /** The same on `organization`. */
  organization: membershipShape.nullable(),
  /** The user's open invitation into the team of the page. */
  invitation: z.object({ team_id: z.string(), role: z.string() }).nullable(),
  /** Those of the asked projects and people that the user follows. */
  follows: z.array(z.string()),
  /** Projects in the user's collections, those of the page first. */
  saved: z.array(z.string()),
  /** Unread notifications, counted up to 100. */
  unread: z.int(),
  /** Whether the user has Plus now. */
  plus: z.boolean(),
  /** A subscription of theirs could not be renewed: every page says so. */
  unpaid: z.boolean(),
  /** Their address while it waits for the link that was mailed to it. */
  unverified: z.string().nullable(),
  /** The server that it pays for; null for Plus. */
  unpaid_for: z.string().nullable(),
  /** Where the caller is, if a proxy in front says so: ISO 3166. */
  country: z.string().nullable(),
});

type Memberships = Pick<z.output<typeof viewerShape>, 'project' | 'organization' | 'invitation'>;
const paid = { unpaid: false, unpaid_for: null };
const nowhere: Memberships = { project: null, organization: null, invitation: null };

/** What the user may do on the project or the organization of the page. One query, two for whoever is invited to it. */
async function membershipsOn(
  sql: Db,
  actor: Actor,
  { project, organization }: z.output<typeof bodyShape>,
): Promise<Memberships> {
  if (project) {
    const access = await accessTo(sql, project, actor);
    const permissions = permissionsOf(access);
    const pending = access.project?.accepted === false;
    const invitation = pending ? await openInvitation(sql, actor.user_id, { project_id: project }) : null;
    const own = permissions === null ? null : { permissions, member: isMember(access) };
    return { ...nowhere, project: own, invitation };
  }
  const access = organization ? await accessToOrganization(sql, organization, actor) : null;
  if (!organization || !access) return nowhere;
  const permissions = organizationPermissionsOf(access);
  const member = access.organization?.accepted ?? false;
  const pending = access.organization !== null && !member;
  const invitation = pending
    ? await openInvitation(sql, actor.user_id, { organization_id: organization })
    : null;
  return { ...nowhere, organization: permissions === null ? null : { permissions, member }, invitation };
}

/**
 * What a page, cached for everybody, needs to know about the current user: one call per page, three queries at most. The
 * call of a visitor who is not signed in counts the ad that the page shows: of that, only the number of a day is kept.
 * Source: design §4.4.
 */
export function viewerRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/viewer',
    summary: 'The current user, with permissions and follows on a page',
    tag: 'internal',
    body: bodyShape,
    answer: viewerShape,
    async handle({ sql, services, body, actor: valid, address, request, now }) {
      const { COUNTRY_HEADER } = services.settings;
      const country = (COUNTRY_HEADER && countryInHeader(request.headers.get(COUNTRY_HEADER))) || null;
      const nothing = { follows: [], saved: [], unread: 0, plus: false, ...paid, unverified: null };
      const nobody = { user: null, ...nowhere, ...nothing, country };
      // the call that every open page makes renews the session of the browser
      const isBrowser = valid === null && !request.headers.has('authorization');
      const { actor, cookies } = isBrowser
        ? await browserSession(request, services, now)
        : { actor: valid, cookies: [] };
      const answer = privateJson(actor ? await visible() : nobody);
      const { usage, ads } = services;
      if (!actor && body.ad && ads?.has(body.ad) && !isBot(request.headers.get('user-agent') ?? undefined))
        usage.shown({ ad_id: body.ad, network: networkOf(address), at: now });
      for (const text of cookies) answer.headers.append('set-cookie', text);
      return answer;

      async function visible(): Promise<z.output<typeof viewerShape>> {
        const user_id = actor!.user_id;
        const user_view = body.project ? [body.project, ...body.projects] : body.projects;
        const [account, place] = await Promise.all([
          viewerAccount(services, user_id, user_view),
          membershipsOn(sql, actor!, body),
        ]);
        if (!account) return nobody;
        // programs have scopes for both; where no link can be mailed, pages do not ask to open it
        const isBrowsing = actor!.interactive;
        const unverified = isBrowsing && mailMode(services.settings) !== 'off' ? account.unverified : null;
        return { ...account, ...place, saved: isBrowsing ? account.saved : [], unverified, country };
      }
    },
  });
}
