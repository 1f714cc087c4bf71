import { z } from 'zod';
import { deleteClient, setClientIcon } from '#db/accounts/oauth/icon.ts';
import { type Client, clientById, clientsByIds, clientsOf, publicClient } from '#db/accounts/oauth/read.ts';
import { whyNotEditClient, whyNotListClients } from '#db/accounts/oauth/rules.ts';
import {
  clientEditShape,
  clientShape,
  createdClientShape,
  newClientShape,
} from '#db/accounts/oauth/shape.ts';
import { createClient, editClient } from '#db/accounts/oauth/write.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { processIcon } from '#db/platform/files/image.ts';
import { imageBytes } from '#db/platform/files/rules.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { receiveImage } from '../../platform/upload/upload.ts';

const tag = 'oauth';
const params = z.object({ id: z.string() });
const needs = ['SESSION_ACCESS'] as const;
const max_ids = 100;

/** Apps that sign users in with accounts of ours. Source: api-v3 §3.11, §3.7. */
export function applicationRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/oauth/app/{id}',
    summary: 'An app',
    tag,
    params,
    answer: clientShape,
    handle: async ({ services, params: { id } }) => publicClient(await existing(services, id)),
  });

  publicRoute(api, {
    method: 'get',
    path: '/oauth/apps',
    summary: 'Apps by their IDs, separated by commas',
    tag,
    query: z.object({ ids: z.string().transform(idsOf).pipe(z.array(z.string()).max(max_ids)) }),
    answer: z.array(clientShape),
    handle: async ({ services, query: { ids } }) => (await clientsByIds(services, ids)).map(publicClient),
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/user/{id}/oauth_apps',
    summary: 'The apps of a user; for the user and admins',
    tag,
    needs: [...needs],
    params,
    answer: z.array(clientShape),
    handle: async ({ services, params, actor }) => {
      const user = await userByIdOrName(services, params.id);
      if (!user) throw new Refused('not_found');
      assertAllowed(whyNotListClients(user, actor));
      return (await clientsOf(services, user.id)).map(publicClient);
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/oauth/app',
    summary: 'Add an app; the answer shows its secret once',
    tag,
    needs: [...needs],
    body: newClientShape,
    answer: createdClientShape,
    handle: async ({ services, body, actor, now, begin }) => {
      const { id, secret } = await begin((tx) => createClient(tx, actor, body, now));
      return { ...publicClient(await existing(services, id)), client_secret: secret };
    },
  });

  changeRoutes(api);
}

function changeRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/oauth/app/{id}',
    summary: 'Change an app; absent fields stay, redirect URLs are replaced',
    tag,
    needs: [...needs],
    params,
    body: clientEditShape,
    empty_status: 200,
    handle: async ({ params: { id }, body, actor, begin }) => {
      await begin((tx) => editClient(tx, actor, id, body));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/oauth/app/{id}',
    summary: 'Delete an app with everything that users granted it',
    tag,
    needs: [...needs],
    params,
    handle: async ({ services, params: { id }, actor, begin }) => {
      await deleteClient(begin, services.storage, { actor, id });
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/oauth/app/{id}/icon',
    summary: 'Set the icon of an app, at most 256 KiB',
    tag,
    needs: [...needs],
    params,
    query: z.object({ ext: z.string().optional() }),
    raw: ['image/png', 'image/jpeg', 'image/bmp', 'image/gif', 'image/webp'],
    handle: async ({ services, params, query, request, actor, begin, now }) => {
      const { id } = await editable(services, params.id, actor);
      const bytes = await receiveImage(request, services, imageBytes.icon, query.ext);
      const icon = await processIcon(bytes, query.ext ?? '');
      await setClientIcon(begin, services.storage, { actor, id, now }, icon);
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/oauth/app/{id}/icon',
    summary: 'Remove the icon of an app',
    tag,
    needs: [...needs],
    params,
    handle: async ({ services, params, actor, begin, now }) => {
      const { id } = await editable(services, params.id, actor);
      await setClientIcon(begin, services.storage, { actor, id, now }, null);
      return undefined;
    },
  });
}

/** `a,b`, or a JSON array as everywhere else. */
function idsOf(text: string): string[] {
  return text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((id) => id.trim().replace(/^"|"$/g, ''))
    .filter((id) => id !== '');
}

async function existing(context: ReadContext, id: string): Promise<Client> {
  const client = await clientById(context, id);
  if (!client) throw new Refused('not_found');
  return client;
}

/** Checks the rule before an image is read; the write checks it again under its lock. */
async function editable(context: ReadContext, id: string, actor: Actor): Promise<Client> {
  const client = await existing(context, id);
  assertAllowed(whyNotEditClient(client, actor));
  return client;
}
