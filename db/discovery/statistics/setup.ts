import { mailMode } from '../../messages/mail/queue.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';

/** What whoever runs a new installation does next, in this order. */
const setupSteps = ['operator', 'mail', 'alerts', 'machine', 'project'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** The steps that are done: two of them by what there is, the others by the settings. One statement. */
export async function doneSetupSteps(db: Db, settings: Settings): Promise<SetupStep[]> {
  const [found] = await db<[Record<'machine' | 'project', boolean>]>`
    select exists (select from nodes) as machine, exists (select from projects where status = 'approved') as project`;
  const done: Record<SetupStep, boolean> = {
    operator: settings.OPERATOR_NAME !== undefined && settings.OPERATOR_CONTACT !== undefined,
    mail: mailMode(settings) === 'smtp',
    alerts: settings.STAFF_EMAIL.length > 0 || !!settings.STAFF_WEBHOOK_URL || !!settings.STAFF_CHAT_URL,
    ...found,
  };
  return setupSteps.filter((step) => done[step]);
}
