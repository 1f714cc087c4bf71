import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { normalSubdomain, subdomainLengths } from '#db/hosting/servers/names/rules.ts';
import type { SubdomainView } from '#db/hosting/servers/names/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { useHidden } from '../../../shared/use-address.ts';
import { type Confirmation, useConfirm } from '../../../shared/use-confirm.tsx';
import { $connection } from '../../core/panel.store.ts';
import { useWithConnection } from '../../core/use-with-connection.ts';
import { OptionsLoading } from '../OptionsLoading.tsx';
import {
  $answer,
  $draft,
  $problem,
  $refused,
  $saving,
  $subdomain,
  loadSubdomain,
  saveSubdomain,
  typeSubdomain,
} from './subdomain.store.ts';

/** The name of the server below the domain of the site, instead of an address with a port. */
export function SubdomainPart({ domain }: { domain: string }) {
  const { t } = useMessages();
  const view = useStore($subdomain);
  const problem = useStore($problem);
  const hidden = useHidden();
  const [isShown, setShown] = useState(false);
  useWithConnection(loadSubdomain);
  return (
    <section className="stack" aria-labelledby="server-subdomain">
      <h2 id="server-subdomain">{t('server_general.subdomain')}</h2>
      {!view ? (
        <OptionsLoading problem={problem} reload={loadSubdomain} rows={1} />
      ) : hidden && !isShown ? (
        <p>
          {t('server_general.subdomain_hidden')}{' '}
          <button className="btn s" type="button" onClick={() => setShown(true)}>
            {t('server_general.show')}
          </button>
        </p>
      ) : (
        <Form {...{ domain, view }} />
      )}
    </section>
  );
}

function Form({ domain, view }: { domain: string; view: SubdomainView }) {
  const { t } = useMessages();
  const draft = useStore($draft);
  const answer = useStore($answer);
  const saving = useStore($saving);
  const refused = useStore($refused);
  const isOpen = useStore($connection) === 'open';
  const { confirm, dialog } = useConfirm();
  const name = normalSubdomain(draft ?? view.subdomain ?? '');
  const why = answer !== null && answer !== 'asking' ? answer.why : null;
  const isFree = answer !== null && answer !== 'asking' && answer.why === null;
  const old = view.subdomain && `\u2066${view.subdomain}.${domain}\u2069`;
  /** The name that is lost is asked about first. */
  const change = (to: string | null) => {
    const act = () => void saveSubdomain(to);
    if (!old) return act();
    const question: Confirmation = {
      title: t(to === null ? 'server_general.ask_remove' : 'server_general.ask_change'),
      text: t('server_general.ask_lost', { name: old }),
      action: t(to === null ? 'server_general.subdomain_remove' : 'server_general.subdomain_change'),
      act,
    };
    confirm(question);
  };
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isFree && isOpen) change(name);
        }}
      >
        <div className="field">
          <label htmlFor="subdomain">{t('server_general.subdomain_label')}</label>
          <div className="row wrap">
            <span className="named-below" dir="ltr">
              <input
                className="in"
                id="subdomain"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={60}
                value={draft ?? view.subdomain ?? ''}
                aria-invalid={why !== null || undefined}
                aria-describedby="subdomain-hint"
                onChange={({ target }) => typeSubdomain(target.value)}
              />
              <span>.{domain}</span>
            </span>
            <button className="btn" type="submit" disabled={!isOpen || !isFree || saving} aria-busy={saving}>
              {t('server_general.save')}
            </button>
            {view.subdomain && (
              <button
                className="btn quiet danger-quiet"
                type="button"
                disabled={!isOpen || saving}
                onClick={() => change(null)}
              >
                {t('server_general.subdomain_remove')}
              </button>
            )}
          </div>
          <p className={why ? 'hint bad' : 'hint'} id="subdomain-hint" aria-live="polite">
            <Hint {...{ name, why, isFree, isAsking: answer === 'asking' }} />
          </p>
        </div>
      </form>
      <div role="alert">
        {refused && (
          <Alert tone="bad" title={t('server_general.subdomain_failed')}>
            {refused}
          </Alert>
        )}
      </div>
      {view.subdomain && <Records view={view} />}
      {dialog}
    </>
  );
}

interface HintProps {
  name: string;
  why: string | null;
  isFree: boolean;
  isAsking: boolean;
}

/** What is known of the name that was typed. */
function Hint({ name, why, isFree, isAsking }: HintProps) {
  const { t, number } = useMessages();
  const range = { least: number(subdomainLengths.least), most: number(subdomainLengths.most) };
  if (isAsking) return t('server_general.subdomain_asking');
  if (isFree) return t('server_general.subdomain_free');
  switch (why) {
    case null:
      return t('server_general.subdomain_hint', range);
    case 'subdomain_length':
      return t('error.subdomain_length', range);
    case 'subdomain_letters':
      return t('error.subdomain_letters');
    case 'subdomain_reserved':
      return t('error.subdomain_reserved', { name: `\u2066${name}\u2069` });
    default:
      return t(why === 'subdomain_taken' ? 'error.subdomain_taken' : 'error.subdomains_off');
  }
}

/** What the name servers of the site say: for those who want to know why a name does not work yet. */
function Records({ view: { records } }: { view: SubdomainView }) {
  const { t } = useMessages();
  if (records.length === 0) return <p className="hint">{t('server_general.records_none')}</p>;
  return (
    <details>
      <summary>{t('server_general.records')}</summary>
      <p className="hint">{t('server_general.records_hint')}</p>
      <ul className="records" dir="ltr">
        {records.map(({ type, name, value }) => (
          <li key={type}>
            <code>
              {name} {type} {value}
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}
