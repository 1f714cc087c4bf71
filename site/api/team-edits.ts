import { z } from 'zod';
import { invitationShape, memberEditShape, newOwnerShape } from '#db/catalogue/members/shape.ts';
import {
  editMember,
  inviteMember,
  joinTeam,
  removeMember,
  transferTeam,
} from '#db/catalogue/members/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const team = z.object({ id: idShape });
const common = { tag: 'teams', needs: ['PROJECT_WRITE'] } as const;

/** Changing teams, the same in v2 and v3. Source: api-v2 §9; api-v3 §3.9; api-behaviours §2. */
export function teamEditRoutes(api: Api): void {
  invitations(api);
  members(api);
}

function invitations(api: Api): void {
  authenticatedRoute(api, {
    ...common,
    method: 'post',
    path: '/team/{id}/members',
    summary: 'Invite a user into a team',
    params: team,
    body: invitationShape,
    handle: async ({ params, body, actor, begin, now }) => {
      await begin(async (tx) => await inviteMember(tx, actor, params.id, body, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...common,
    method: 'post',
    path: '/team/{id}/join',
    summary: 'Accept an invitation',
    params: team,
    handle: async ({ params, actor, begin }) => {
      await begin(async (tx) => await joinTeam(tx, actor, params.id));
      return undefined;
    },
  });
}

function members(api: Api): void {
  authenticatedRoute(api, {
    ...common,
    method: 'patch',
    path: '/team/{id}/members/{user}',
    summary: 'Edit a member; absent fields keep their values',
    params: team.extend({ user: z.string() }),
    body: memberEditShape,
    handle: async ({ services, params, body, actor, begin, now }) => {
      const user = await userByIdOrName(services, params.user);
      if (!user) throw new Refused('not_found');
      const member = { team_id: params.id, user_id: user.id };
      await begin(async (tx) => await editMember(tx, actor, member, body, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...common,
    method: 'delete',
    path: '/team/{id}/members/{user}',
    summary: 'Remove a member or an invitation, leave a team, decline an invitation',
    params: team.extend({ user: idShape }),
    handle: async ({ params, actor, begin }) => {
      const member = { team_id: params.id, user_id: params.user };
      await begin(async (tx) => await removeMember(tx, actor, member));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...common,
    method: 'patch',
    path: '/team/{id}/owner',
    summary: 'Transfer the ownership to a member',
    params: team,
    body: newOwnerShape,
    handle: async ({ params, body, actor, begin }) => {
      await begin(async (tx) => await transferTeam(tx, actor, params.id, body.user_id));
      return undefined;
    },
  });
}
