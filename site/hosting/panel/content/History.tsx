import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { relative } from '../../../platform/text/format.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Action } from './Action.tsx';
import { Arrow } from './Arrow.tsx';
import { takeBack } from './actions.ts';
import { isEnded } from './change.ts';
import { kindText, reasonText, stepText } from './change-text.ts';

const tones: Partial<Record<ChangeView['step'], string>> = { failed: ' bad', undone: '', cancelled: '' };

/** What was changed, by whom and when, newest first. */
export function History({ changes }: { changes: readonly ChangeView[] }) {
  const { count } = useMessages();
  return (
    <details className="hist">
      <summary>{count('server_content.history', changes.length)}</summary>
      <ol>
        {changes.map((change) => (
          <Line key={change.id} change={change} />
        ))}
      </ol>
    </details>
  );
}

function Line({ change }: { change: ChangeView }) {
  const labels = useMessages();
  const { t, count, formatting } = labels;
  const { items, by, created, step, error, start_failed } = change;
  const rest = change.count - items.length;
  const exact = new Intl.DateTimeFormat(formatting, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li>
      <div className="row wrap">
        <b>{count(kindText(change), change.count)}</b>
        {step !== 'done' && <span className={`badge${tones[step] ?? ' note'}`}>{t(stepText(change))}</span>}
        {start_failed && <span className="badge bad">{t('server_content.start_failed_short')}</span>}
        <span className="meta">
          {by ? t('server_content.by', { name: `\u2068${by}\u2069` }) : t('server_content.by_nobody')}
          {' · '}
          <time dateTime={created} title={exact.format(new Date(created))}>
            {relative(formatting, created, new Date())}
          </time>
        </span>
        {change.undoable && isEnded(change) && (
          <Action
            className="btn quiet s push"
            busy={`undo ${change.id}`}
            whyNot={null}
            act={() => void takeBack(change.id)}
          >
            {t('server_content.take_back')}
          </Action>
        )}
      </div>
      {items.length > 0 && (
        <ul>
          {items.map(({ title, from, to }) => (
            <li key={title}>
              <bdi>{title}</bdi>{' '}
              <span className="meta">
                {from && <bdi>{from}</bdi>} {from && to && <Arrow />} {to && <bdi>{to}</bdi>}
              </span>
            </li>
          ))}
          {rest > 0 && <li className="meta">{count('server_content.and_more', rest)}</li>}
        </ul>
      )}
      {error && <p className="why bad">{reasonText(labels, error)}</p>}
    </li>
  );
}
