import { accessToOrganization } from '../catalogue/organizations/access.ts';
import { lockProject } from '../catalogue/projects/locked.ts';
import { whyNotActInOrganization, whyNotActInTeam } from '../catalogue/teams/rules.ts';
import { type LockOwner, webhookWrites } from '../messages/webhooks/write.ts';
import { assertAllowed, Refused } from '../platform/errors.ts';
import { lockChangeableServer } from './servers/locked.ts';
import { whyNotHave } from './servers/rules.ts';

/**
 * Locks the owner and asks whether the actor may edit its details. Refuses `not_found`, `not_a_member`,
 * `permission_missing`, and for servers as `whyNotHave.options`.
 */
const lockOwner: LockOwner = async (tx, actor, { project_id, organization_id, server_id }) => {
  if (server_id) {
    await lockChangeableServer(tx, actor, server_id, new Date(), whyNotHave.options);
    return;
  }
  const data = { permission: 'EDIT_DETAILS' };
  if (project_id !== null) {
    const { access } = await lockProject(tx, project_id, actor);
    return assertAllowed(whyNotActInTeam(access, 'EDIT_DETAILS'), data);
  }
  await tx`select 1 from organizations where id = ${organization_id} for no key update`;
  const access = await accessToOrganization(tx, organization_id!, actor);
  if (!access) throw new Refused('not_found');
  assertAllowed(whyNotActInOrganization(access, 'EDIT_DETAILS'), data);
};

/** What changes webhooks of projects, organizations and game servers. */
export const {
  createWebhook,
  editWebhook,
  turnWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  testWebhook,
  resendDelivery,
} = webhookWrites(lockOwner);
