import { useStore } from '@nanostores/react';
import { type FormEvent, useState } from 'react';
import { readDomain } from '#db/hosting/servers/network/rules.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { $busy, changeNetwork } from './network.store.ts';

interface Props {
  /** What it begins with. */
  first: string;
  done(): void;
  /** Null when there is nothing to go back to. */
  cancel: (() => void) | null;
}

/** Asks for a domain. */
export function DomainForm({ first, done, cancel }: Props) {
  const { t } = useMessages();
  const [typed, setTyped] = useState(first);
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const isBusy = useStore($busy) === 'network.set_domain';
  const isWrong = isTried && readDomain(typed) === null;
  const problem = isWrong ? t('server_network.domain_invalid') : refused?.description;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (readDomain(typed) === null) return;
    if (await changeNetwork('network.set_domain', { domain: typed }, { refused: setRefused })) done();
  };
  return (
    <form className="field domain" noValidate onSubmit={submit}>
      <label htmlFor="domain-name">{t('server_network.domain_name')}</label>
      <div className="row wrap">
        <input
          className="in"
          id="domain-name"
          dir="ltr"
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={300}
          placeholder="play.example.org"
          value={typed}
          aria-invalid={problem ? true : undefined}
          aria-describedby="domain-problem"
          onChange={({ target }) => {
            setTyped(target.value);
            setRefused(null);
            setTried(false);
          }}
        />
        <button className="btn main" type="submit" aria-busy={isBusy} disabled={typed.trim() === ''}>
          {t('server_network.set_domain')}
        </button>
        {cancel && (
          <button className="btn" type="button" onClick={cancel}>
            {t('servers.cancel')}
          </button>
        )}
      </div>
      <p className={problem ? 'hint bad' : 'hint'} id="domain-problem" role={problem ? 'alert' : undefined}>
        {problem ?? t('server_network.domain_name_hint')}
      </p>
    </form>
  );
}
