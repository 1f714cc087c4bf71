import { $viewer } from '../../../platform/browser/current-user.store.ts';

/**
 * What only members of the project see. Elements with `data-needs`, the bit of a permission (`db/catalogue/teams/rules.ts`), come
 * hidden, because the page is the same for everybody, and appear when the current user has that permission; without a bit
 * any right on the project will do. The call about the current user brings the permissions: no visitor pays for another
 * request.
 */
$viewer.subscribe((viewer) => {
  const permissions = viewer?.project?.permissions ?? null;
  for (const element of document.querySelectorAll<HTMLElement>('[data-needs]')) {
    const needed = Number(element.dataset.needs);
    element.hidden = permissions === null || (needed !== 0 && (permissions & needed) === 0);
  }
});
