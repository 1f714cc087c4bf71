import { $viewer } from '../../../platform/browser/current-user.store.ts';

/** What only those with rights in the organization see, on the page that is the same for everybody. */
$viewer.subscribe((viewer) => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-organization-members]'))
    element.hidden = !viewer?.organization;
});
