import { useStore } from '@nanostores/react';
import type { NoticeView } from '#db/hosting/notices/view.ts';
import { linkedParts } from '../../platform/text/linked.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../shared/Icon.tsx';
import { dismissNotice } from './core/actions.ts';
import { $notices } from './core/panel.store.ts';

/** Most severe first; the style of each. */
const styles = { critical: 'bad', warn: 'warn', info: 'note', survey: 'survey' } as const;
const order = Object.keys(styles);

/** Notices from staff for this server, full width; updated live. */
export function Notices({ first }: { first: readonly NoticeView[] }) {
  const { t } = useMessages();
  const notices = useStore($notices, { ssr: 'initial' }) ?? first;
  const displayed = notices.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  return (
    <ul className="told" aria-label={t('servers.notices')} aria-live="polite">
      {displayed.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </ul>
  );
}

function Notice({ notice: { id, level, title, message, url, dismissable } }: { notice: NoticeView }) {
  const { t } = useMessages();
  const isSurvey = level === 'survey';
  return (
    <li className={styles[level]}>
      <div className="page">
        <Icon name={level} />
        <p>
          <span className="hide">{t(`servers.notice_${level}`)}</span> <b dir="auto">{title}</b>{' '}
          <bdi>
            {linkedParts(message).map((part) =>
              typeof part === 'string' ? (
                part
              ) : (
                <a key={part.href} className="link" href={part.href} rel="noreferrer" dir="ltr">
                  {part.href}
                </a>
              ),
            )}
          </bdi>
        </p>
        {url && (
          <a className={isSurvey ? 'btn s' : 'link'} href={url} rel="noreferrer">
            {t(isSurvey ? 'servers.notice_answer' : 'servers.notice_more')}
          </a>
        )}
        {dismissable && (
          <button
            className="btn quiet s icon"
            type="button"
            aria-label={t('servers.notice_dismiss')}
            onClick={() => void dismissNotice(id)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
    </li>
  );
}
