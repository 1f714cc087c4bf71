import { z } from 'zod';
import { tokensOf } from '#db/accounts/tokens/read.ts';
import { createToken, deleteToken, editToken } from '#db/accounts/tokens/write.ts';
import { scopesOfNumber } from '#db/platform/people/scopes/rules.ts';
import { idShape, oneLineText } from '#db/platform/shape.ts';
import type { AppServices } from '../../../platform/context.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { shownOnceCookie } from '../../../platform/http/shown-once.ts';
import { formRoute } from '../../../platform/route/form.ts';
import type { Api } from '../../../platform/route/types.ts';
import { fieldsOfScopes, scopeFields, scopesOfFields } from '../scopes/scope-fields.ts';

/** What a token may live for at the push of a button, in days; `date` stands for a day of one's own. */
export const presets = ['7', '30', '90', '365', 'date'] as const;

const day_ms = 86_400_000;
const name = oneLineText(3, 255);
const day = z.union([z.literal(''), z.iso.date()]).optional();
/** With the boxes of scopes, of which one is needed. */
const withScopes = <S extends z.ZodRawShape>(shape: S) =>
  z
    .looseObject(shape)
    .refine((fields) => scopesOfFields(fields).size > 0, { path: ['scopes'] })
    .transform((fields) => ({ ...fields, scopes: scopesOfFields(fields) }));

const common = {
  fields: ['name', 'expires_in', 'expires_on', 'scopes', ...scopeFields],
  invalid: { scopes: 'tokens.scopes_missing', expires_on: 'tokens.day_missing' },
  errors: { token_expiry_past: 'expires_on', token_expiry_late: 'expires_on' },
} as const;

export const createTokenForm = defineForm({
  ...common,
  action: '/_internal/tokens/create',
  shape: withScopes({ name, expires_in: z.enum(presets), expires_on: day }).refine(
    ({ expires_in, expires_on }) => expires_in !== 'date' || !!expires_on,
    { path: ['expires_on'] },
  ),
});

export const editTokenForm = defineForm({
  ...common,
  action: '/_internal/tokens/edit',
  shape: withScopes({ id: idShape, name, expires_on: day }),
});

export const deleteTokenForm = defineForm({
  action: '/_internal/tokens/delete',
  shape: z.object({ id: idShape }),
  fields: [],
  errors: {},
});

const list = '/settings/pats';
/** The end of a day in UTC, which the form names. */
const endOf = (date: string): Date => new Date(`${date}T23:59:59Z`);
/** The page of a token; a broken id has none. */
export const tokenPage = (id: unknown): string =>
  idShape.safeParse(id).success ? `${list}/${id as string}` : list;

/** The forms of `/settings/pats`. */
export function tokenFormRoutes(api: Api, services: AppServices): void {
  const { sql } = services;
  formRoute(api, createTokenForm, {
    needs: ['PAT_CREATE'],
    page: `${list}/new`,
    async run({ actor, fields: { name, scopes, expires_in, expires_on }, now }) {
      const expires =
        expires_in === 'date'
          ? endOf(expires_on ?? '')
          : new Date(now.getTime() + Number(expires_in) * day_ms);
      const wanted = { user_id: actor.user_id, name, scopes, expires, now, mailing: services, by: actor };
      const { id, access_token } = await sql.begin((tx) => createToken(tx, wanted));
      const shown = { id, secret: access_token };
      return { to: list, cookies: [shownOnceCookie(services, actor.user_id, shown, now)] };
    },
  });

  formRoute(api, editTokenForm, {
    needs: ['PAT_WRITE'],
    page: ({ id }) => tokenPage(id),
    async run({ actor, fields: { id, name, scopes, expires_on }, now }) {
      const { user_id } = actor;
      const [old] = (await tokensOf(sql, user_id)).filter((token) => token.id === id);
      if (!old) return { to: list };
      const kept = !expires_on || expires_on === old.expires.slice(0, 10);
      const edit = { name, scopes, ...(kept ? {} : { expires: endOf(expires_on) }) };
      await sql.begin((tx) => editToken(tx, { id, edit, now, by: actor }));
      const before = { id, name: old.name, expires_on: old.expires.slice(0, 10) };
      const previous = { ...before, ...fieldsOfScopes(scopesOfNumber(old.scopes)) };
      return { to: `${tokenPage(id)}?saved=1`, previous };
    },
  });

  formRoute(api, deleteTokenForm, {
    needs: ['PAT_DELETE'],
    page: list,
    async run({ actor: { user_id }, fields: { id } }) {
      await sql.begin((tx) => deleteToken(tx, { id, user_id }));
      return { to: `${list}?done=1` };
    },
  });
}
