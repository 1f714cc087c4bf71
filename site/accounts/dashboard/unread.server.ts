import { notificationCounts } from '#db/messages/notifications/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';

/** How many notifications of the user are unread, for the navigation of the dashboard. One statement. */
export async function unreadOf({ services }: App.Locals, actor: Actor): Promise<number> {
  const counts = await notificationCounts(services.sql, actor.user_id, { read: false });
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
