import { z } from 'zod';
import { deleteClient, setClientIcon } from '#db/accounts/oauth/icon.ts';
import { clientById } from '#db/accounts/oauth/read.ts';
import { max_redirect_uris } from '#db/accounts/oauth/rules.ts';
import { newClientShape } from '#db/accounts/oauth/shape.ts';
import { createClient, editClient, rotateSecret } from '#db/accounts/oauth/write.ts';
import { scopesOfNumber, scopesToNumber } from '#db/platform/people/scopes/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../../platform/context.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { shownOnceCookie } from '../../../platform/http/shown-once.ts';
import { formRoute } from '../../../platform/route/form.ts';
import { definePictureForm, pictureFormRoute } from '../../../platform/route/picture-form.ts';
import type { Api } from '../../../platform/route/types.ts';
import { fieldsOfScopes, scopeFields, scopesOfFields } from '../scopes/scope-fields.ts';

const { name, url, description } = newClientShape.shape;
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const emptyAsNull = (text: string | undefined) => text?.trim() || null;

const appFields = {
  name,
  url: z.string().optional().transform(emptyAsNull).pipe(url.unwrap()),
  description: z
    .string()
    .optional()
    .transform((text) => emptyAsNull(text?.replace(/\r\n?/g, '\n')))
    .pipe(description.unwrap()),
  redirect_uris: z
    .string()
    .transform(lines)
    .pipe(z.array(z.string().max(2000)).max(max_redirect_uris)),
};
const withScopes = <S extends z.ZodRawShape>(shape: S) =>
  z
    .looseObject(shape)
    .transform((fields) => ({ ...fields, max_scopes: scopesToNumber(scopesOfFields(fields)) }));

const common = {
  fields: ['name', 'url', 'description', 'redirect_uris', 'kind', 'scopes', ...scopeFields],
  invalid: { url: 'applications.url_invalid', redirect_uris: 'applications.redirects_invalid' },
  errors: { redirect_uri_invalid: 'redirect_uris' },
} as const;

export const createApplicationForm = defineForm({
  ...common,
  action: '/_internal/applications/create',
  shape: withScopes({ ...appFields, kind: z.enum(['server', 'device']) }),
});

export const editApplicationForm = defineForm({
  ...common,
  action: '/_internal/applications/edit',
  shape: withScopes({ ...appFields, id: idShape }),
});

const ofOne = (action: string) =>
  defineForm({ action, shape: z.object({ id: idShape }), fields: [], errors: {} });
export const rotateSecretForm = ofOne('/_internal/applications/secret');
export const deleteApplicationForm = ofOne('/_internal/applications/delete');
export const applicationIconForm = definePictureForm('/_internal/applications/icon');

const list = '/settings/applications';
/** The page of an app; a broken id has none. */
export const applicationPage = (id: unknown): string =>
  idShape.safeParse(id).success ? `${list}/${id as string}` : list;

/** The forms of `/settings/applications`. */
export function applicationFormRoutes(api: Api, services: AppServices): void {
  const { sql, storage } = services;
  const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;
  const shown = (user_id: string, id: string, secret: string | null, now: Date) =>
    secret === null ? [] : [shownOnceCookie(services, user_id, { id, secret }, now)];

  formRoute(api, createApplicationForm, {
    needs: ['SESSION_ACCESS'],
    page: `${list}/new`,
    async run({ actor, fields: { kind, ...given }, now }) {
      const app = { ...given, public: kind === 'device' };
      const { id, secret } = await sql.begin((tx) => createClient(tx, actor, app, now));
      return { to: `${list}/${id}?new=1`, cookies: shown(actor.user_id, id, secret, now) };
    },
  });

  formRoute(api, editApplicationForm, {
    needs: ['SESSION_ACCESS'],
    page: ({ id }) => applicationPage(id),
    async run({ actor, fields: { id, ...edit } }) {
      const old = await clientById(services, id);
      await sql.begin((tx) => editClient(tx, actor, id, edit));
      if (!old) return { to: list };
      const before = { id, name: old.name, url: old.url ?? '', description: old.description ?? '' };
      const redirect_uris = old.redirect_uris.map(({ uri }) => uri).join('\n');
      const previous = { ...before, redirect_uris, ...fieldsOfScopes(scopesOfNumber(old.max_scopes)) };
      return { to: `${list}/${id}?saved=1`, previous };
    },
  });

  formRoute(api, rotateSecretForm, {
    needs: ['SESSION_ACCESS'],
    page: ({ id }) => applicationPage(id),
    async run({ actor, fields: { id }, now }) {
      const secret = await sql.begin((tx) => rotateSecret(tx, actor, id, now));
      return { to: `${list}/${id}`, cookies: shown(actor.user_id, id, secret, now) };
    },
  });

  formRoute(api, deleteApplicationForm, {
    needs: ['SESSION_ACCESS'],
    page: ({ id }) => applicationPage(id),
    async run({ actor, fields: { id } }) {
      await deleteClient(begin, storage, { actor, id });
      return { to: `${list}?done=1` };
    },
  });

  pictureFormRoute(api, applicationIconForm, {
    needs: ['SESSION_ACCESS'],
    page: applicationPage,
    set: (actor, id, icon) => setClientIcon(begin, storage, { actor, id, now: services.now() }, icon),
  });
}
