import { expiredBackups } from '#db/hosting/servers/backups/retention.ts';
import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { exactTime } from '../../shared/time.ts';
import { alwaysKept, mostKept } from './retention.ts';

interface RetentionTextProps {
  rules: RetentionRules;
  backups: readonly BackupView[];
  most: number;
}

/** What stays under these rules, in sentences. */
export function RetentionText({ rules, backups, most }: RetentionTextProps) {
  const { t, count, number, formatting } = useMessages();
  const going = backups.filter(({ id }) => expiredBackups(backups, rules).includes(id));
  const others = alwaysKept(backups);
  const isTooMany = mostKept(rules) + others > most;
  return (
    <div className="keeps-text">
      {rules.every_hours === null && <p>{t('backup.keeps_off')}</p>}
      <p>{t('backup.keeps_text')}</p>
      <ul className="means">
        <li>{count('backup.means_last', rules.last)}</li>
        {rules.hourly > 0 && <li>{count('backup.means_hourly', rules.hourly)}</li>}
        {rules.daily > 0 && <li>{count('backup.means_daily', rules.daily)}</li>}
        {rules.weekly > 0 && <li>{count('backup.means_weekly', rules.weekly)}</li>}
      </ul>
      <p>{t('backup.keeps_others')}</p>
      {going.length > 0 && (
        <>
          <p className="hint warn">{count('backup.going', going.length)}</p>
          <ul className="means">
            {going.map(({ id, name, created }) => (
              <li key={id}>
                <bdi>{name}</bdi> <time dateTime={created}>{exactTime(formatting, created)}</time>
              </li>
            ))}
          </ul>
        </>
      )}
      {isTooMany && (
        <p className="hint warn">
          {t('backup.keeps_too_many', {
            rules: number(mostKept(rules)),
            others: number(others),
            most: number(most),
          })}
        </p>
      )}
    </div>
  );
}
