import { z } from 'zod';
import { announce, deleteAnnouncement, editAnnouncement } from '#db/discovery/analytics/announcements.ts';
import {
  announcementEditShape,
  announcementShape,
  newAnnouncementShape,
} from '#db/discovery/analytics/shape.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const path = '/analytics-event';
const one = z.object({ id: idShape });
const shared = { tag: 'admin', needs: ['SESSION_ACCESS'] as const };

/** Announcements on charts, for administrators. Source: api-v3 §7. */
export function analyticsEventRoutes(api: Api): void {
  authenticatedRoute(api, {
    ...shared,
    method: 'post',
    path,
    summary: 'Announce something on the charts of everybody',
    body: newAnnouncementShape,
    answer: announcementShape,
    handle: async ({ begin, body, actor }) => await begin(async (tx) => await announce(tx, actor, body)),
  });

  authenticatedRoute(api, {
    ...shared,
    method: 'patch',
    path: `${path}/{id}`,
    summary: 'Change an announcement; absent fields keep their values',
    params: one,
    body: announcementEditShape,
    handle: async ({ begin, params, body, actor }) => {
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      await begin(async (tx) => await editAnnouncement(tx, actor, params.id, given));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    ...shared,
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Delete an announcement',
    params: one,
    handle: async ({ begin, params, actor }) => {
      await begin(async (tx) => await deleteAnnouncement(tx, actor, params.id));
      return undefined;
    },
  });
}
