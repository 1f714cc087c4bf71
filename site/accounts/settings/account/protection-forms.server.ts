import { z } from 'zod';
import { newBackupCodes } from '#db/accounts/sign-in/backup-codes.ts';
import { removePasskey, renamePasskey } from '#db/accounts/sign-in/passkeys.ts';
import { removePassword } from '#db/accounts/sign-in/password-change.ts';
import { keepShownCodes } from '#db/accounts/sign-in/shown-codes.ts';
import { renewBackupCodes, setPasskeyStep, startTotp } from '#db/accounts/sign-in/two-factor.ts';
import { Refused } from '#db/platform/errors.ts';
import { endFlow } from '#db/platform/flows/write.ts';
import { oneLineText } from '#db/platform/shape.ts';
import type { AppServices } from '../../../platform/context.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { stepCookie, stepSecret } from '../../../platform/http/cookies.ts';
import { type FormResult, formRoute } from '../../../platform/route/form.ts';
import type { Api } from '../../../platform/route/types.ts';
import { changePassword } from '../../sign-in/password-steps.server.ts';
import { turnOff, turnOn } from '../../sign-in/two-factor-steps.server.ts';

/** The forms of the account page about what protects the account: password, second factor, passkeys. */

const text = z.string().max(1024);
const code = z.string().min(1).max(64);
const limited = { rate_limited: { text: 'account.too_many' } } as const;
const bare = (action: string) =>
  defineForm({ action: `/_internal/auth/${action}`, shape: z.object({}), fields: [], errors: limited });

export const passwordForm = defineForm({
  action: '/_internal/auth/password/change',
  shape: z.object({ old_password: text.default(''), new_password: text, confirm_password: text }),
  fields: ['old_password', 'new_password', 'confirm_password'],
  errors: {
    ...limited,
    old_password_wrong: 'old_password',
    password_length: 'new_password',
    password_breached: 'new_password',
    password_weak: 'new_password',
    passwords_differ: 'confirm_password',
  },
});
export const removePasswordForm = bare('password/remove');
export const startTwoFactorForm = bare('two-factor/start');
export const verifyTwoFactorForm = defineForm({
  action: '/_internal/auth/two-factor/verify',
  shape: z.object({ code }),
  fields: ['code'],
  errors: { ...limited, code_wrong: 'code' },
});
export const removeTwoFactorForm = defineForm({
  action: '/_internal/auth/two-factor/remove',
  shape: z.object({ code }),
  fields: ['code'],
  errors: { ...limited, code_wrong: 'code' },
});
export const renewCodesForm = bare('two-factor/codes');
export const codesSavedForm = bare('two-factor/saved');
export const passkeyStepForm = defineForm({
  action: '/_internal/auth/two-factor/passkeys',
  shape: z.object({ on: z.enum(['true', 'false']) }),
  fields: [],
  errors: limited,
});
export const renamePasskeyForm = defineForm({
  action: '/_internal/auth/passkeys/rename',
  shape: z.object({ id: z.string().max(11), name: oneLineText(1, 255) }),
  fields: ['name'],
  errors: limited,
});
export const removePasskeyForm = defineForm({
  action: '/_internal/auth/passkeys/remove',
  shape: z.object({ id: z.string().max(11) }),
  fields: [],
  errors: limited,
});

const page = '/settings/account';
const done = { to: `${page}?done=1` };
const needs = ['USER_AUTH_WRITE'] as const;

/** The routes of these forms. Each leads back to the account page, or to the page of the next step. */
export function protectionRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const { SITE_URL } = settings;

  async function showing(user_id: string, codes: readonly string[], now: Date): Promise<FormResult> {
    const flow = await keepShownCodes(sql, services, { user_id, codes, now });
    return { cookies: [stepCookie('account', flow, SITE_URL)], to: `${page}/backup-codes` };
  }

  formRoute(api, passwordForm, {
    needs,
    page,
    async run({ actor, fields: { old_password, new_password, confirm_password }, now }) {
      if (new_password !== confirm_password) throw new Refused('passwords_differ');
      await changePassword(services, { actor, old_password, new_password, now });
      return done;
    },
  });

  formRoute(api, removePasswordForm, {
    needs,
    page,
    async run({ actor, now }) {
      await sql.begin((tx) => removePassword(tx, services, { actor, now }));
      return done;
    },
  });

  formRoute(api, startTwoFactorForm, {
    needs,
    page,
    async run({ actor, now }) {
      const { flow } = await sql.begin((tx) => startTotp(tx, services, { actor, now }));
      return { cookies: [stepCookie('account', flow, SITE_URL)], to: `${page}/two-factor` };
    },
  });

  formRoute(api, verifyTwoFactorForm, {
    needs,
    page: (_given, refusal) =>
      ['flow_invalid', 'authentication_required'].includes(refusal) ? page : `${page}/two-factor`,
    elsewhere: (refusal) => refusal === 'flow_invalid',
    async run({ c, actor, fields, now }) {
      const flow = stepSecret(c.req.raw, 'account', SITE_URL) ?? '';
      const codes = await turnOn(services, { actor, flow, code: fields.code, now });
      return await showing(actor.user_id, codes, now);
    },
  });

  formRoute(api, removeTwoFactorForm, {
    needs,
    page,
    async run({ actor, fields, now }) {
      await turnOff(services, { actor, code: fields.code, now });
      return done;
    },
  });

  formRoute(api, renewCodesForm, {
    needs,
    page,
    async run({ actor, now }) {
      const { codes, hashes } = await newBackupCodes();
      await sql.begin((tx) => renewBackupCodes(tx, { actor, hashes, now }));
      return await showing(actor.user_id, codes, now);
    },
  });

  formRoute(api, codesSavedForm, {
    needs,
    page,
    async run({ c }) {
      const flow = stepSecret(c.req.raw, 'account', SITE_URL);
      if (flow) await endFlow(sql, 'backup_codes', flow);
      return { ...done, cookies: [stepCookie('account', null, SITE_URL)] };
    },
  });

  formRoute(api, passkeyStepForm, {
    needs,
    page,
    async run({ actor, fields, now }) {
      const on = fields.on === 'true';
      const { codes, hashes } = await newBackupCodes();
      const isNew = await sql.begin((tx) => setPasskeyStep(tx, { actor, on, hashes, now }));
      return isNew ? await showing(actor.user_id, codes, now) : done;
    },
  });

  formRoute(api, renamePasskeyForm, {
    needs,
    page,
    async run({ actor, fields: { id, name } }) {
      await sql.begin((tx) => renamePasskey(tx, { actor, id, name }));
      return { to: page };
    },
  });

  formRoute(api, removePasskeyForm, {
    needs,
    page,
    async run({ actor, fields: { id }, now }) {
      await sql.begin((tx) => removePasskey(tx, services, { actor, id, now }));
      return done;
    },
  });
}
