import { z } from 'zod';
import { setPins } from '#db/accounts/pins/write.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { readOrder } from '../../platform/ui/sort-order.ts';

/** The name of the check box that takes a project off the pinned ones. */
export const unpinField = (id: string): string => `unpin_${id}`;

/** What becomes of the order: without the unchecked ones, with the added one at the end. */
const shape = z
  .looseObject({ organization_id: idShape.optional(), order: z.string(), add: z.string().optional() })
  .transform(({ organization_id, order, add, move, ...boxes }) => {
    const kept = readOrder(order, typeof move === 'string' ? move : '').filter(
      (id) => !Object.hasOwn(boxes, unpinField(id)),
    );
    const pins = [...new Set(add ? [...kept, add] : kept)];
    return organization_id === undefined ? { pins } : { organization_id, pins };
  })
  .pipe(z.object({ organization_id: idShape.optional(), pins: z.array(idShape).max(100) }));

export const pinsForm = defineForm({
  action: '/_internal/pins',
  shape,
  fields: ['add'],
  errors: { limit_reached: { field: 'add', text: 'pins.too_many' }, pin_unknown: 'add' },
});

const pageOf = ({ organization_id: id }: Record<string, unknown>): string =>
  idShape.safeParse(id).success ? `/organization/${id as string}/settings` : '/settings/profile';

/** The form of pinned projects, of a profile or an organization. */
export function pinRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, pinsForm, {
    needs: ['USER_WRITE', 'ORGANIZATION_WRITE'],
    page: pageOf,
    async run({ actor, fields: { organization_id, pins } }) {
      const owner = organization_id ? { organization_id } : { user_id: actor.user_id };
      const former = await sql.begin((tx) => setPins(tx, actor, owner, pins));
      const previous = { order: former.join(' '), ...(organization_id && { organization_id }) };
      return { to: `${pageOf({ organization_id })}?saved=1`, previous };
    },
  });
}
