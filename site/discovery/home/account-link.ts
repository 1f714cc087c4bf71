import { $viewer } from '../../platform/browser/current-user.store.ts';
import { readMessages } from '../../platform/text/message-reader.ts';

/** For signed-in users the sign-up link leads to their own page. */
for (const way of document.querySelectorAll<HTMLAnchorElement>('a[data-join]')) {
  $viewer.subscribe((viewer) => {
    if (!viewer?.user) return;
    way.href = way.dataset.join!.replace('USERNAME', encodeURIComponent(viewer.user.username));
    way.textContent = readMessages<'home.your_page'>(way).t('home.your_page');
  });
}
