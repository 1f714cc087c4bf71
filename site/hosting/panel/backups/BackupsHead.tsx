import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { whyNotNow } from '../core/access.ts';
import { BackupIcon } from './BackupIcon.tsx';
import { mostKept } from './retention.ts';
import { countedBackups } from './why-not.ts';

interface BackupsHeadProps {
  backups: readonly BackupView[];
  most: number;
  retention: RetentionRules;
  /** Why no backup can be made now. */
  whyNot: string | null;
  isOpen: boolean;
  create(): void;
  change(): void;
}

/** How many backups there are, how automated ones are made, and the button for a new one, with why it cannot be pressed. */
export function BackupsHead({ backups, most, retention, whyNot, isOpen, create, change }: BackupsHeadProps) {
  const labels = useMessages();
  const { t, count, number } = labels;
  const total = backups.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const counted = countedBackups(backups);
  const { every_hours } = retention;
  const whyNotChange = whyNotNow(labels, isOpen, whyNotHave.backups);
  return (
    <section className="bh" aria-labelledby="backups-count">
      <div className="q">
        <h2 className="row" id="backups-count">
          <span>{t('backup.count', { count: number(counted), most: number(most) })}</span>{' '}
          {total > 0 && <span className="push">{sizeText(labels, total)}</span>}
        </h2>
        <progress
          className={counted >= most ? 'meter warn' : 'meter'}
          value={counted}
          max={most}
          aria-labelledby="backups-count"
        />
      </div>
      <div className="sched">
        <BackupIcon name="plan" />
        <div>
          <b className="name">
            {every_hours === null ? t('backup.never') : count('backup.every_hours', every_hours)}
          </b>
          <span className="meta">
            {every_hours === null ? t('backup.never_text') : count('backup.keeps_most', mostKept(retention))}
          </span>
        </div>
        <button
          className="btn quiet s"
          type="button"
          aria-disabled={whyNotChange !== null}
          data-tip={whyNotChange ?? undefined}
          onClick={change}
        >
          {t('backup.change')} <span className="hide">{t('backup.retention')}</span>
        </button>
      </div>
      <div className="make">
        <button
          className="btn primary"
          type="button"
          aria-disabled={whyNot !== null}
          aria-describedby={whyNot ? 'backups-why' : undefined}
          onClick={create}
        >
          <Icon name="add" />
          {t('backup.create')}
        </button>
        <span className="meta" id="backups-why" aria-live="polite">
          {whyNot}
        </span>
      </div>
    </section>
  );
}
