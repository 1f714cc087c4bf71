import { z } from 'zod';

export const limits = {
  /** Maximum ids per request. */
  ids: 1000,
  /** Maximum notifications of a list: the newest. */
  listed: 1000,
  /** Maximum notifications displayed of one group. */
  per_group: 20,
} as const;

const action_route = z.array(z.string()).length(2);
const fields = {
  id: z.string(),
  user_id: z.string(),
  read: z.boolean(),
  created: z.string(),
  body: z.looseObject({ type: z.string() }),
  text: z.string(),
  link: z.string(),
};

/** A notification as a v3 response. Source: api-v3 §2.7. */
export const notificationShape = z
  .object({ ...fields, name: z.string(), actions: z.array(z.object({ name: z.string(), action_route })) })
  .meta({ id: 'NotificationV3' });
export type Notification = z.input<typeof notificationShape>;

/** A notification as a v2 response: names are titles, and the type stands outside of the body too. Source: api-v2 §2.5. */
export const notificationV2Shape = z
  .object({
    ...fields,
    type: z.string(),
    title: z.string(),
    actions: z.array(z.object({ title: z.string(), action_route })),
  })
  .meta({ id: 'Notification' });

/** The notification with the names of v2. */
export const notificationV2 = ({
  name,
  actions,
  ...rest
}: Notification): z.input<typeof notificationV2Shape> => ({
  ...rest,
  type: rest.body.type,
  title: name,
  actions: actions.map(({ name: title, action_route: route }) => ({ title, action_route: route })),
});
