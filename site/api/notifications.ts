import { z } from 'zod';
import * as change from '#db/messages/notifications/change.ts';
import {
  findNotification,
  notificationsByIds,
  notificationsOfUser,
} from '#db/messages/notifications/read.ts';
import { whyNotListNotifications } from '#db/messages/notifications/rules.ts';
import {
  limits,
  type Notification,
  notificationShape,
  notificationV2,
  notificationV2Shape,
} from '#db/messages/notifications/shape.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute, jsonText } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const params = z.object({ id: idShape });
const query = z.object({ ids: jsonText(z.array(idShape).max(limits.ids)) });
const tag = 'notifications';

/** Notifications of the caller; admins reach those of everyone. Source: api-v2 §8; api-behaviours §9. */
export function notificationRoutes(api: Api, version: 2 | 3): void {
  if (version === 2) reads(api, notificationV2Shape, notificationV2);
  else reads(api, notificationShape, (notification) => notification);
  changeOne(api);
  changeMany(api);
}

function reads<S extends z.ZodType>(
  api: Api,
  shape: S,
  displayed: (notification: Notification) => z.input<S>,
): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/user/{id}/notifications',
    summary: 'The notifications of a user, newest first',
    tag,
    needs: ['NOTIFICATION_READ'],
    params: z.object({ id: z.string() }),
    answer: z.array(shape),
    handle: async ({ sql, services, params: { id }, actor }) => {
      const user = await userByIdOrName(services, id);
      if (!user) throw new Refused('not_found');
      assertAllowed(whyNotListNotifications(user.id, actor));
      return (await notificationsOfUser(sql, user.id)).map(displayed);
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/notifications',
    summary: 'Own notifications by ids; others are left out',
    tag,
    needs: ['NOTIFICATION_READ'],
    query,
    answer: z.array(shape),
    handle: async (call) => (await notificationsByIds(call.sql, call.query.ids, call.actor)).map(displayed),
  });

  authenticatedRoute<typeof params, z.ZodType, z.ZodType, z.ZodType>(api, {
    method: 'get',
    path: '/notification/{id}',
    summary: 'An own notification',
    tag,
    needs: ['NOTIFICATION_READ'],
    params,
    answer: shape,
    handle: async ({ sql, params: { id }, actor }) => {
      const notification = await findNotification(sql, id, actor);
      if (!notification) throw new Refused('not_found');
      return displayed(notification);
    },
  });
}

function changeOne(api: Api): void {
  for (const [method, summary, work] of [
    ['patch', 'Mark an own notification as read', change.markNotificationRead],
    ['delete', 'Delete an own notification', change.removeNotification],
  ] as const)
    authenticatedRoute(api, {
      method,
      path: '/notification/{id}',
      summary,
      tag,
      needs: ['NOTIFICATION_WRITE'],
      params,
      handle: async ({ params: { id }, actor, begin }) => {
        await begin(async (tx) => await work(tx, actor, id));
        return undefined;
      },
    });
}

function changeMany(api: Api): void {
  for (const [method, summary, work] of [
    ['patch', 'Mark own notifications as read', change.markNotificationsRead],
    ['delete', 'Delete own notifications', change.removeNotifications],
  ] as const)
    authenticatedRoute(api, {
      method,
      path: '/notifications',
      summary,
      tag,
      needs: ['NOTIFICATION_WRITE'],
      query,
      handle: async (call) => {
        await call.begin(async (tx) => await work(tx, call.actor, call.query.ids));
        return undefined;
      },
    });
}
