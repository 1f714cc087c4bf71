import { $viewer } from '../../../platform/browser/current-user.store.ts';

/** The way to edit a collection appears for its owner, once the current user is known: the page is the same for everybody. */
$viewer.subscribe((viewer) => {
  for (const tool of document.querySelectorAll<HTMLElement>('[data-owner]'))
    tool.hidden = viewer?.user?.id !== tool.dataset.owner;
});
