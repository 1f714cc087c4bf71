import { useStore } from '@nanostores/react';
import type { MessageKey } from '#content/keys.ts';
import { isOlderGame } from '#db/hosting/servers/content/loader-rules.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { type PageMessages, useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { Created } from '../../../shared/Created.tsx';
import { useConfirm } from '../../../shared/use-confirm.tsx';
import { $connection } from '../../core/panel.store.ts';
import { undoChange } from './actions.ts';
import { $waiting } from './loader.store.ts';
import { itemText } from './names.ts';

interface Props {
  change: ChangeView;
  server: ServerView;
}

/** What came of the newest change, and taking it back. */
export function LastChange({ change, server }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const { step, kind, error, start_failed } = change;
  const runs = server.state === 'running';
  if (step === 'cancelled') return <p className="say note">{t('loader.canceled')}</p>;
  if (step === 'failed' && error)
    return (
      <Alert tone="bad" title={t(kind === 'undo' ? 'loader.undo_failed' : 'loader.failed')}>
        {t('loader.failed_text', { why: reasonOf(labels, error) })}
      </Alert>
    );
  if (start_failed && change.undoable && !runs)
    return (
      <Alert tone="warn" title={t('loader.start_failed')} action={<Undo {...{ change, server }} primary />}>
        {t('loader.start_failed_text')}
      </Alert>
    );
  return (
    <section className="last" aria-labelledby="loader-last">
      <h2 id="loader-last">{t('loader.last_change')}</h2>
      <div className="row wrap">
        <div>
          <p>
            <b>{t(`loader.kind_${kind}`)}</b>{' '}
            <span className="meta">
              <Created since={change.created} />
            </span>
          </p>
          <ul className="plain meta">
            {change.items.map((item) => (
              <li key={item.title}>{itemText(labels, item)}</li>
            ))}
            {kind === 'loader' && change.items.length === 0 && <li>{t('loader.reinstalled')}</li>}
          </ul>
        </div>
        {change.undoable && <Undo {...{ change, server }} />}
      </div>
    </section>
  );
}

/** A refusal code in words; one without a text as it is, for support. */
function reasonOf({ t }: PageMessages, { code, data }: NonNullable<ChangeView['error']>): string {
  const key = `error.${code}`;
  const text = t(key as MessageKey, data);
  return text === key ? t('loader.why_unknown', { code }) : text;
}

function Undo({ change, server, primary = false }: Props & { primary?: boolean }) {
  const { t, link } = useMessages();
  const { confirm, dialog } = useConfirm();
  const line = useStore($connection);
  const waiting = useStore($waiting);
  const game = change.items.find(({ title }) => title === 'game_version');
  const isOlder = game?.from && game.to ? isOlderGame(game.to, game.from) : false;
  const whyNot = line === 'open' ? null : t('servers.line_lost');
  const ask = () =>
    whyNot === null &&
    confirm({
      title: t('loader.undo_title'),
      text: isOlder ? t('loader.undo_older_text', { what: game!.from! }) : t('loader.undo_text'),
      ...(isOlder && {
        link: { href: link(`/servers/manage/${server.id}/backups`), text: t('loader.undo_backups') },
      }),
      action: t('loader.undo'),
      act: () => void undoChange(change.id, t('loader.undo_failed')),
    });
  return (
    <>
      <button
        className={primary ? 'btn primary' : 'btn'}
        type="button"
        aria-disabled={whyNot !== null}
        aria-busy={waiting === 'undo'}
        data-tip={whyNot ?? undefined}
        onClick={ask}
      >
        {t('loader.undo')}
      </button>
      {dialog}
    </>
  );
}
