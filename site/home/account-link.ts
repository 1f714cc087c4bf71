import { $viewer } from '../browser/current-user.store.ts';

/** Whoever has an account is led to their own page instead of to another account. */
for (const way of document.querySelectorAll<HTMLAnchorElement>('a[data-join]')) {
  $viewer.subscribe((viewer) => {
    if (!viewer?.user) return;
    way.href = way.dataset.join!.replace('USERNAME', encodeURIComponent(viewer.user.username));
    way.textContent = way.dataset.words!;
  });
}
