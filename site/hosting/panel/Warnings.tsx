import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../shared/Icon.tsx';
import { RelativeTime } from '../shared/RelativeTime.tsx';
import { $dismissed, dismissWarning, isDismissed, loadDismissed } from './warnings.store.ts';

type Warning = ServerView['warnings'][number];

/** By the codes of agents: what happened, and what to do. */
const texts: Record<string, readonly [MessageKey, MessageKey]> = {
  slow_start: ['servers.warning_slow_start', 'servers.warning_slow_start_text'],
  stop_forced: ['servers.warning_stop_forced', 'servers.warning_stop_forced_text'],
  extra_port_taken: ['servers.warning_extra_port', 'servers.warning_extra_port_text'],
  oom_child: ['servers.warning_oom_child', 'servers.warning_oom_child_text'],
  sleep_port_taken: ['servers.warning_sleep_port_taken', 'servers.warning_sleep_port_taken_text'],
  port_changed: ['servers.warning_port_changed', 'servers.warning_port_changed_text'],
  disk_full: ['servers.warning_disk_full', 'servers.warning_disk_full_text'],
};
const textsOf = (code: string) => (Object.hasOwn(texts, code) ? texts[code] : undefined);

/** What the server's node warned of within a day, until it is dismissed in this browser; after that only newer ones. */
export function Warnings({ server: { id, warnings } }: { server: ServerView }) {
  const dismissed = useStore($dismissed);
  useEffect(loadDismissed, []);
  // what was dismissed is known to the browser only: nothing is shown before, or it would flash up
  if (!dismissed) return null;
  return warnings
    .filter((warning) => !isDismissed(dismissed, id, warning))
    .map((warning) => <Told key={warning.code} server_id={id} warning={warning} />);
}

function Told({ server_id, warning }: { server_id: string; warning: Warning }) {
  const { t } = useMessages();
  const [title, text] = textsOf(warning.code) ?? ['servers.warning_other', null];
  return (
    <div className="say warn" role="note">
      <Icon name="warn" />
      <b>{t(title)}</b>
      <p>
        {text && t(text)} {!text && <code dir="ltr">{warning.code}</code>}{' '}
        {warning.detail && <code dir="ltr">{warning.detail}</code>}{' '}
        <RelativeTime since={warning.at} of="warning" />
      </p>
      <button
        className="btn quiet s icon"
        type="button"
        aria-label={t('servers.warning_dismiss', { title: t(title) })}
        onClick={() => dismissWarning(server_id, warning)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
