import { z } from 'zod';
import { setPower } from '#db/hosting/servers/write.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute, type GivenFields } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** Starts or stops a server from its panel without scripts. */
export const powerForm = defineForm({
  action: '/_internal/servers/power',
  shape: z.object({ server_id: idShape, op_id: z.uuid(), action: z.enum(['start', 'stop']) }),
  fields: [],
  errors: {},
});

/** The forms of a server's panel. */
export function serverRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, powerForm, {
    needs: ['SERVER_WRITE'],
    page: panelPage,
    async run({ actor, fields, now }) {
      await sql.begin((tx) => setPower(tx, actor, fields, now));
      return { to: panelPage(fields) };
    },
  });
}

function panelPage({ server_id }: GivenFields): string {
  const { data } = idShape.safeParse(server_id);
  return data ? `/servers/manage/${data}` : '/servers/manage';
}
