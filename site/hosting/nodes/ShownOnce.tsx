import type { ReactNode } from 'react';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../shared/FormDialog.tsx';
import { Icon } from '../shared/Icon.tsx';
import { exactTime } from '../shared/time.ts';

interface Props {
  node: NodeView;
  done(): void;
}

/** The command that makes a machine this node. */
export function JoinDialog({ node, command, expires, done }: Props & { command: string; expires: string }) {
  const { t, parts, formatting } = useMessages();
  const time = (
    <time key="time" dateTime={expires}>
      {exactTime(formatting, expires)}
    </time>
  );
  return (
    <FormDialog title={t('nodes.join_title', { name: node.name })} wide done={done}>
      <p>{parts<ReactNode>('nodes.join_text', { time })}</p>
      <Once name={t('nodes.join_command')} value={command} />
    </FormDialog>
  );
}

/** The new secret of a node without an agent. */
export function SecretDialog({ node, secret, done }: Props & { secret: string }) {
  const { t } = useMessages();
  return (
    <FormDialog title={t('nodes.secret_title', { name: node.name })} wide done={done}>
      <p>{t('nodes.secret_text')}</p>
      <Once name={t('nodes.secret')} value={secret} />
    </FormDialog>
  );
}

/** A value to copy, which gets the focus. */
function Once({ name, value }: { name: string; value: string }) {
  const { t } = useMessages();
  return (
    <div className="once">
      <code dir="ltr" translate="no">
        {value}
      </code>
      <button
        className="btn"
        type="button"
        data-first
        data-copy={value}
        data-copied={t('servers.copied')}
        aria-label={t('servers.copy_value', { what: name })}
      >
        <Icon name="copy" />
      </button>
    </div>
  );
}
