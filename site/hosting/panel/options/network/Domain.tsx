import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { DomainView, NetworkView } from '#db/hosting/servers/network/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { exactTime } from '../../../shared/time.ts';
import type { Confirmation } from '../../../shared/use-confirm.tsx';
import { DomainForm } from './DomainForm.tsx';
import { DomainRecords } from './DomainRecords.tsx';
import { ltr } from './left-to-right.ts';
import { $busy, changeNetwork } from './network.store.ts';

interface Props {
  server: ServerView;
  network: NetworkView;
  ask(question: Confirmation): void;
}

/** A domain of the owner: entering it, its records, and whether they lead here. */
export function Domain({ network, ask }: Props) {
  const { t } = useMessages();
  const [isChanging, setChanging] = useState(false);
  const { domain, address } = network;
  return (
    <section aria-labelledby="domain">
      <h2 id="domain">{t('server_network.domain')}</h2>
      <p className="hint">{t('server_network.domain_hint')}</p>
      {!address && <p className="say note">{t('server_network.not_placed')}</p>}
      {address && (!domain || isChanging) && (
        <DomainForm
          first={domain?.shown ?? ''}
          done={() => setChanging(false)}
          cancel={domain ? () => setChanging(false) : null}
        />
      )}
      {domain && !isChanging && <Known domain={domain} change={() => setChanging(true)} ask={ask} />}
    </section>
  );
}

interface KnownProps {
  domain: DomainView;
  change(): void;
  ask: Props['ask'];
}

function Known({ domain: view, change, ask }: KnownProps) {
  const { t } = useMessages();
  const { domain, shown } = view;
  const remove = () =>
    ask({
      title: t('server_network.ask_remove_domain', { domain: ltr(shown) }),
      text: t('server_network.ask_remove_domain_text'),
      action: t('server_network.remove_domain'),
      act: () => void changeNetwork('network.remove_domain', {}),
    });
  return (
    <div className="stack">
      <div className="named">
        <b>
          <bdi dir="ltr">{shown}</bdi>
        </b>
        {shown !== domain && <code dir="ltr">{domain}</code>}
        <span className={view.state === 'pending' ? 'badge' : `badge ${tones[view.state]}`}>
          <Icon name={signs[view.state]} />
          {t(`server_network.state_${view.state}`)}
        </span>
        <span className="acts">
          <button className="btn s" type="button" onClick={change}>
            {t('server_network.change_domain')}
          </button>
          <button className="btn s" type="button" onClick={remove}>
            {t('server_network.remove_domain')}
          </button>
        </span>
      </div>
      <Result view={view} />
      <DomainRecords view={view} />
      <Check view={view} />
    </div>
  );
}

const tones = { verified: 'good', wrong: 'bad' } as const;
const signs = { pending: 'uptime', verified: 'done', wrong: 'critical' } as const;

/** What the last check means, and what to do. */
function Result({ view: { shown, state, found } }: { view: DomainView }) {
  const { t } = useMessages();
  const { problem } = found;
  const tone = state === 'verified' ? 'good' : state === 'wrong' ? 'bad' : 'note';
  return (
    <div role="status">
      {state === 'verified' ? (
        <Alert tone={tone} title={t('server_network.verified', { domain: ltr(shown) })}>
          {t(problem ? 'server_network.problem_dns_failed' : 'server_network.verified_text')}
        </Alert>
      ) : (
        <Alert tone={tone} title={t(state === 'wrong' ? 'server_network.wrong' : 'server_network.pending')}>
          {t(`server_network.problem_${problem ?? 'unchecked'}` as MessageKey)}
        </Alert>
      )}
    </div>
  );
}

function Check({ view: { checked, next_check, state } }: { view: DomainView }) {
  const { t, formatting } = useMessages();
  const isBusy = useStore($busy) === 'network.check_domain';
  const [refused, setRefused] = useState('');
  const check = () => {
    setRefused('');
    void changeNetwork('network.check_domain', {}, { refused: (error) => setRefused(error.description) });
  };
  return (
    <div className="check-now">
      <p className="hint">
        {checked && t('server_network.checked', { when: exactTime(formatting, checked) })}{' '}
        {t(
          state === 'verified'
            ? 'server_network.checked_daily'
            : next_check
              ? 'server_network.checked_hourly'
              : 'server_network.checked_no_more',
        )}
        <span className="hint bad" role="status">
          {refused && ` ${refused}`}
        </span>
      </p>
      <button className="btn main" type="button" aria-busy={isBusy} onClick={check}>
        {t(isBusy ? 'server_network.checking' : 'server_network.check_now')}
      </button>
    </div>
  );
}
