import { useState } from 'react';
import { port_name_length, portName, whyNotNamePort } from '#db/hosting/servers/network/rules.ts';
import type { NetworkView } from '#db/hosting/servers/network/view.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { TextField } from '../../../shared/TextField.tsx';
import { changeNetwork } from './network.store.ts';

interface Props {
  /** The port that is renamed, or a new one. */
  edited: NetworkView['ports'][number] | 'new';
  /** Names of the other ports. */
  names: readonly string[];
  done(): void;
}

/** Asks for the name of a new port, or for another name. */
export function PortDialog({ edited, names, done }: Props) {
  const { t } = useMessages();
  const isNew = edited === 'new';
  const [typed, setTyped] = useState(isNew ? '' : edited.name);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const name = portName(typed);
  const isTaken = name !== null && whyNotNamePort(names, name) !== null;
  const failed = { refused: setRefused };
  return (
    <FormDialog
      title={t(isNew ? 'server_network.add_port' : 'server_network.rename_port')}
      action={t(isNew ? 'server_network.add_port' : 'server_network.save')}
      isReady={name !== null && !isTaken}
      problem={refused && [t('server_network.not_saved'), refused.description]}
      submit={() =>
        isNew
          ? changeNetwork('network.add_port', { name: name! }, { repeatable: false, ...failed })
          : changeNetwork('network.rename_port', { port: edited.port, name: name! }, failed)
      }
      done={done}
    >
      {isNew && <p className="dim">{t('server_network.add_port_text')}</p>}
      <TextField
        label={t('server_network.port_name')}
        value={typed}
        change={setTyped}
        limit={port_name_length}
        hint={t('server_network.port_name_hint')}
        problem={isTaken ? t('server_network.port_name_taken') : ''}
        first
      />
    </FormDialog>
  );
}
