import { $viewer } from '../../browser/current-user.store.ts';
import { signIn } from '../../ui/sign-in.ts';

/** The menu of collections of each project on the page; what fills it is loaded when it is first opened. */
for (const menu of document.querySelectorAll<HTMLDetailsElement>('[data-save]')) {
  const fill = async () => (await import('./collection-list.ts')).collections(menu);
  let filled: ReturnType<typeof fill> | null = null;
  $viewer.subscribe((viewer) => {
    if (viewer && menu.open) void open(viewer.user?.username);
  });
  menu.addEventListener('toggle', () => {
    const viewer = $viewer.get();
    if (viewer && menu.open) void open(viewer.user?.username); // else as soon as it is known
  });

  async function open(username: string | undefined): Promise<void> {
    if (username === undefined) return signIn(menu.dataset.signIn!);
    filled ??= fill();
    await (await filled).show(username);
  }
}
