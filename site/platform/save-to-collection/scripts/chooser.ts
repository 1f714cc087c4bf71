import { type ApiResult, offline, requestFrom } from '../../browser/api-client.ts';
import { $viewer, type Viewer } from '../../browser/current-user.store.ts';
import { mutate } from '../../browser/mutate.ts';
import { signIn } from '../../browser/sign-in.ts';
import { type CollectionList, collectionList } from './collection-list.ts';

let list: CollectionList | null = null;

/** The current user, as soon as it is known. */
const viewerKnown = (): Promise<Viewer> =>
  new Promise((resolve) => {
    const unbind = $viewer.subscribe((viewer) => {
      if (!viewer) return;
      resolve(viewer);
      queueMicrotask(() => unbind()); // it may be known before `unbind` is
    });
  });

/** The dialog is the same for everybody, and fetched once a page. */
async function fetched(): Promise<ApiResult<string>> {
  const hl = new URLSearchParams(location.search).get('hl');
  const answer = await requestFrom(`/collection/chooser.part${hl ? `?hl=${encodeURIComponent(hl)}` : ''}`);
  if (!answer) return offline;
  if (answer.ok) return { ok: true, data: await answer.text() };
  return { ok: false, error: { status: answer.status, code: '', description: '', details: {} } };
}

/**
 * Opens the chooser for the project of a button. Visitors are led to sign-in and back to the page. Source: screens §A.4
 * (bookmark menu; signed-out clicks go to sign-in).
 */
export async function openChooser(button: HTMLElement): Promise<void> {
  button.ariaBusy = 'true';
  const { user } = await viewerKnown();
  if (!user) return signIn();
  if (!list) {
    const answer = await mutate({ send: fetched });
    if (answer.ok && !list) {
      document.body.insertAdjacentHTML('beforeend', answer.data);
      list = collectionList(document.querySelector<HTMLDialogElement>('#collection-chooser')!);
    }
  }
  button.ariaBusy = null;
  await list?.show(user.username, { id: button.dataset.save!, label: button.ariaLabel! });
}
