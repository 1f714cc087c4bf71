import { z } from 'zod';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import type { NoteSubject } from '#db/moderation/moderation-notes/read.ts';
import { whyNotWriteNote } from '#db/moderation/moderation-notes/rules.ts';
import { noteEditShape } from '#db/moderation/moderation-notes/shape.ts';
import { writeNote } from '#db/moderation/moderation-notes/write.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const finders = {
  user: userByIdOrName,
  organization: findOrganization,
} satisfies Record<
  NoteSubject,
  (context: ReadContext, text: string, actor: Actor) => Promise<{ id: string } | null>
>;

/** Notes of moderators about users and organizations. Source: api-v3 §3.7. */
export function moderationNoteRoutes(api: Api): void {
  noteRoute(api, 'user');
  noteRoute(api, 'organization');
}

function noteRoute(api: Api, subject: NoteSubject): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: `/${subject}/{id}/notes`,
    summary: 'Change the notes of moderators; If-Match names the version that was read',
    tag: 'moderation',
    needs: [subject === 'user' ? 'USER_WRITE' : 'ORGANIZATION_WRITE'],
    params: z.object({ id: z.string() }),
    body: noteEditShape,
    handle: async ({ services, params, body, request, actor, begin, now }) => {
      assertAllowed(whyNotWriteNote(actor));
      const expected = versionOf(request.headers.get('if-match'));
      const found = await finders[subject](services, params.id, actor);
      if (!found) throw new Refused('not_found');
      const about = { subject, id: found.id };
      await begin(async (tx) => await writeNote(tx, actor, about, { change: body, expected, now }));
      return undefined;
    },
  });
}

/** The version that If-Match names, with or without quotes; null without the header. Refuses `invalid_input`. */
function versionOf(header: string | null): number | null {
  if (header === null) return null;
  const [, digits] = /^\s*"?(\d{1,9})"?\s*$/.exec(header) ?? [];
  if (digits === undefined)
    throw new Refused('invalid_input', { problem: 'If-Match must be the version of the notes' });
  return Number(digits);
}
