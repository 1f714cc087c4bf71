import { $viewer } from '../../browser/current-user.store.ts';
import { signIn } from '../../browser/sign-in.ts';

/** The collection menu of each project on the page; its code is loaded when it is first opened. */
for (const menu of document.querySelectorAll<HTMLDetailsElement>('[data-save]')) {
  const fill = async () => (await import('./collection-list.ts')).collections(menu);
  let filled: ReturnType<typeof fill> | null = null;
  $viewer.subscribe((viewer) => {
    if (viewer && menu.open) void open(viewer.user?.username);
  });
  menu.addEventListener('toggle', () => {
    const viewer = $viewer.get();
    if (viewer && menu.open) void open(viewer.user?.username); // otherwise as soon as the user is known
  });

  async function open(username: string | undefined): Promise<void> {
    if (username === undefined) return signIn();
    filled ??= fill();
    await (await filled).show(username);
  }
}
