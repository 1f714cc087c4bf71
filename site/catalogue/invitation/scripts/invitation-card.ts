import { $viewer } from '../../../platform/browser/current-user.store.ts';

/** Shows the invitation of the page when there is one; what answers it is loaded then. */
$viewer.subscribe(async (viewer) => {
  if (!viewer?.invitation) return;
  const { showInvitation } = await import('./answer-invitation.ts');
  showInvitation(viewer.invitation);
});
