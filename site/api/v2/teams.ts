import { z } from 'zod';
import { type Member, memberOf, membersByTeam, membersOf } from '#db/catalogue/members/read.ts';
import { findProjectRow } from '#db/catalogue/projects/read.ts';
import { teamMemberShape as withV2User } from '#db/catalogue/teams/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import { projectParams } from '../../catalogue/project-settings/project-edit.server.ts';
import { jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { teamEditRoutes } from '../team-edits.ts';
import { userV3Of, userV3Shape } from '../v3/user-shape.ts';

/** A member as v2 answers it: its user has the shape of v3, without a name. Source: api-v2 §2.4. */
const memberV2Shape = withV2User.extend({ user: userV3Shape }).meta({ id: 'TeamMember' });

/** The member as v2 answers it. */
const memberV2 = (member: Member): z.output<typeof memberV2Shape> => ({
  ...memberOf(member),
  user: userV3Of(member.user),
});

const tag = 'teams';

/** Teams: their members, and changing them. Source: api-v2 §4, §9. */
export function teamRoutes(api: Api): void {
  teamEditRoutes(api);

  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/members',
    summary: "The members of a project's team",
    tag,
    reads: ['PROJECT_READ'],
    params: projectParams,
    answer: z.array(memberV2Shape),
    handle: async ({ sql, services, params, actor }) => {
      const project = await findProjectRow(sql, params.id, actor);
      if (!project) throw new Refused('not_found');
      return (await membersOf(services, [project.team], actor, { alone: true })).map(memberV2);
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/team/{id}/members',
    summary: 'The members of a team',
    tag,
    reads: ['PROJECT_READ'],
    params: z.object({ id: idShape }),
    answer: z.array(memberV2Shape),
    handle: async ({ services, params, actor }) =>
      (await membersOf(services, [params.id], actor, { alone: true })).map(memberV2),
  });

  publicRoute(api, {
    method: 'get',
    path: '/teams',
    summary: 'The members of several teams, one list for each team that has any',
    tag,
    reads: ['PROJECT_READ'],
    query: z.object({ ids: jsonText(z.array(idShape).max(3000)) }),
    answer: z.array(z.array(memberV2Shape)),
    handle: async ({ services, query, actor }) => {
      const lists = await membersByTeam(services, query.ids, actor);
      return lists.map((members) => members.map(memberV2));
    },
  });
}
