import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { whyNotNow } from '../core/access.ts';
import { isDeletable } from './why-not.ts';

interface SelectionProps {
  selected: readonly BackupView[];
  backups: readonly BackupView[];
  isOpen: boolean;
  choose(some: readonly BackupView[]): void;
  remove(): void;
}

/** How many backups are selected, and what is done to all of them. Its line is always there, so that nothing moves. */
export function Selection({ selected, backups, isOpen, choose, remove }: SelectionProps) {
  const labels = useMessages();
  const { t, count } = labels;
  const whyNot = whyNotNow(labels, isOpen, whyNotHave.backups);
  const all = backups.filter(isDeletable);
  if (all.length === 0) return null;
  const text = selected.length > 0 ? count('backup.selected', selected.length) : null;
  return (
    <div className={selected.length > 0 ? 'bulk on' : 'bulk'}>
      <label className="check">
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = selected.length > 0 && selected.length < all.length;
          }}
          checked={selected.length === all.length}
          onChange={(event) => choose(event.target.checked ? all : [])}
        />
        <span>{text ?? t('backup.select_all')}</span>
      </label>
      <span className="hide" role="status">
        {text}
      </span>
      {selected.length > 0 && (
        <button
          className="btn danger-quiet s push"
          type="button"
          aria-disabled={whyNot !== null}
          data-tip={whyNot ?? undefined}
          onClick={remove}
        >
          <Icon name="remove" />
          {t('backup.delete')}
        </button>
      )}
    </div>
  );
}
