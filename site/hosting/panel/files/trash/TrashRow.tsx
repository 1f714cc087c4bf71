import undo from 'lucide-static/icons/undo-2.svg?raw';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { relative } from '../../../../platform/text/format.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../../platform/ui/Icon.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { FileIcon } from '../FileIcon.tsx';
import { kindOf } from '../file-kind.ts';
import { exactText, whenText } from '../format.ts';
import { parentOf, shownNameOf } from '../paths.ts';
import { useWhyNot } from '../why-not.ts';
import { $chosenTrash, restore, type TrashItem } from './trash.store.ts';

interface Props {
  item: TrashItem;
  isChosen: boolean;
  purge(ids: readonly string[]): void;
}

/** A deleted file or folder. */
export function TrashRow({ item, isChosen, purge }: Props) {
  const messages = useMessages();
  const { t, formatting } = messages;
  const whyNot = useWhyNot();
  const { trash_id, path, type, bytes, deleted, expires } = item;
  const name = shownNameOf(path);
  const folder = parentOf(path);
  const now = new Date();
  const toggle = () => {
    const chosen = new Set($chosenTrash.get());
    if (!chosen.delete(trash_id)) chosen.add(trash_id);
    $chosenTrash.set(chosen);
  };
  return (
    <tr className={isChosen ? 'sel' : undefined}>
      <td>
        <label className="check">
          <input
            type="checkbox"
            aria-label={t('server_files.select', { name })}
            checked={isChosen}
            onChange={toggle}
          />
        </label>
      </td>
      <td>
        <span className="file-name">
          <FileIcon kind={kindOf({ name, type })} />
          <span className="clip">
            <bdi>{name}</bdi>{' '}
            <span className="meta">
              {t('server_files.was_in', { folder: folder === '' ? t('server_files.top') : folder })}
            </span>
          </span>
        </span>
      </td>
      <td className="num drop">{type === 'file' && sizeText(messages, bytes)}</td>
      <td className="dim drop">
        <time dateTime={new Date(deleted).toISOString()} data-tip={exactText(messages, deleted)}>
          {whenText(messages, deleted, now)}
        </time>
      </td>
      <td className="dim drop">
        <time dateTime={new Date(expires).toISOString()} data-tip={exactText(messages, expires)}>
          {relative(formatting, new Date(expires), now)}
        </time>
      </td>
      <td className="num">
        <span className="row tight">
          <button
            className="btn quiet s icon"
            type="button"
            aria-label={t('server_files.restore_one', { name })}
            data-tip={whyNot ?? t('server_files.restore')}
            aria-disabled={whyNot !== null}
            onClick={() => whyNot === null && void restore([trash_id])}
          >
            <Drawing svg={undo} />
          </button>
          <button
            className="btn danger-quiet quiet s icon"
            type="button"
            aria-label={t('server_files.purge_one', { name })}
            data-tip={t('server_files.purge')}
            onClick={() => purge([trash_id])}
          >
            <Icon name="remove" />
          </button>
        </span>
      </td>
    </tr>
  );
}
