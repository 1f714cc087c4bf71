import { atom } from 'nanostores';
import { icon_path } from '#db/hosting/servers/icon/rules.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { showToast } from '../../../../platform/browser/toasts.store.ts';
import type { PageMessages } from '../../../../platform/text/MessagesContext.tsx';
import { requestFromPanel } from '../../core/open-panel.ts';
import { panelResource } from '../../core/resource.ts';
import { makeIcon, PictureError } from './make-icon.ts';

/** The picture of the server of the open panel. */
export const {
  $data: $icon,
  $problem,
  load: loadIcon,
} = panelResource({ event: 'icon.show', read: (icon) => icon });
/** What is going on. */
export const $busy = atom<'saving' | 'removing' | null>(null);
/** Why the last change was refused. */
export const $refused = atom<string | null>(null);
/** It was changed here, and players see that after a restart. */
export const $changed = atom(false);

/** What is done once at a time; a refusal is shown in place. */
async function change(what: 'saving' | 'removing', work: () => Promise<void>): Promise<void> {
  if ($busy.get()) return;
  $busy.set(what);
  $refused.set(null);
  $changed.set(false);
  await work();
  $busy.set(null);
}
const refused = ({ status, description }: ApiError): boolean => {
  if (status === 0) return false;
  $refused.set(description);
  return true;
};

/** Makes the icon of a picture: a file of the user, or the address of one. */
export const setIcon = ({ t }: PageMessages, picture: Blob | string): Promise<void> =>
  change('saving', async () => {
    let png: string;
    try {
      png = await makeIcon(picture);
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      $refused.set(t(`server_general.picture_${error.why}`));
      return;
    }
    await mutate({
      send: () => requestFromPanel('icon.change', { png, etag: $icon.get()?.etag ?? '' }),
      repeatable: true,
      refresh(icon) {
        $icon.set(icon);
        $changed.set(true);
      },
      refused(error) {
        // somebody else changed it: what is there now is shown, and the next try is about that
        if (error.code === 'file_changed') void loadIcon();
        return refused(error);
      },
    });
  });

/** Moves the icon to the trash, and offers to take that back. */
export const removeIcon = ({ t }: PageMessages): Promise<void> =>
  change('removing', async () => {
    const op_id = crypto.randomUUID();
    await mutate({
      send: () => requestFromPanel('files.delete', { op_id, paths: [icon_path] }),
      repeatable: true,
      refused,
      refresh({ result }) {
        $changed.set(true);
        const trash_ids = result?.trash.map(({ trash_id }) => trash_id) ?? [];
        if (trash_ids.length === 0) return;
        showToast({
          type: 'success',
          title: t('server_general.icon_removed'),
          text: '',
          action: t('server_general.undo'),
          retry: () => void restore(trash_ids),
        });
      },
    });
    await loadIcon();
  });

async function restore(trash_ids: string[]): Promise<void> {
  const op_id = crypto.randomUUID();
  await mutate({
    send: () => requestFromPanel('files.restore', { op_id, trash_ids }),
    repeatable: true,
    refresh: () => $changed.set(false),
  });
  await loadIcon();
}
