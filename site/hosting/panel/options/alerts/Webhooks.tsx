import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { AlertsView } from '#db/hosting/server-alerts/view.ts';
import { webhookLimits, whyNotAddress } from '#db/messages/webhooks/rules.ts';
import { type PageMessages, useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { $secret, $webhookRefused, addWebhook, changeWebhook } from './alerts.store.ts';

type Webhook = AlertsView['webhooks'][number];

/** The webhooks of a server: what they are and how their last call did. */
export function Webhooks({ webhooks, mayChange }: { webhooks: readonly Webhook[]; mayChange: boolean }) {
  const { t } = useMessages();
  const refused = useStore($webhookRefused);
  const secret = useStore($secret);
  return (
    <>
      <h3>{t('server_alerts.webhooks')}</h3>
      {webhooks.length === 0 && <p className="hint">{t('server_alerts.webhooks_none')}</p>}
      <ul className="hooks">
        {webhooks.map((webhook) => (
          <WebhookLine key={webhook.id} webhook={webhook} mayChange={mayChange} />
        ))}
      </ul>
      <div role="status">
        {secret && (
          <Alert
            tone="good"
            title={t('server_alerts.webhook_secret', { name: `\u2068${secret.name}\u2069` })}
          >
            {t('server_alerts.webhook_secret_text')} <code dir="ltr">{secret.secret}</code>
          </Alert>
        )}
      </div>
      <div role="alert">
        {refused && (
          <Alert tone="bad" title={t('server_alerts.webhook_refused')}>
            {refused.description}
          </Alert>
        )}
      </div>
      {mayChange && webhooks.length < webhookLimits.webhooks && <AddWebhook />}
    </>
  );
}

const problems: Record<string, MessageKey> = {
  redirect: 'webhooks.problem_redirect',
  status: 'webhooks.problem_status',
  not_public: 'webhooks.problem_not_public',
  too_slow: 'webhooks.problem_too_slow',
  unreachable: 'webhooks.problem_unreachable',
  key: 'webhooks.problem_key',
};

function stateOf({ t }: PageMessages, { enabled, gave_up, last, problem }: Webhook): string {
  if (gave_up) return t('server_alerts.webhook_gave_up');
  if (!enabled) return t('server_alerts.webhook_is_off');
  if (last === null) return t('server_alerts.webhook_new');
  const key = problem === null ? undefined : problems[problem];
  if (last === 'sent' || !key) return t('server_alerts.webhook_sent');
  return t('server_alerts.webhook_failed', { why: t(key) });
}

function WebhookLine({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const messages = useMessages();
  const { t } = messages;
  const { id, name, host, enabled } = webhook;
  return (
    <li>
      <div>
        <b>{name}</b> <span dir="ltr">{host}</span>
        <p className="hint">{stateOf(messages, webhook)}</p>
      </div>
      {mayChange && (
        <div className="acts">
          <button
            className="btn"
            type="button"
            onClick={() => void changeWebhook(id, enabled ? 'off' : 'on')}
          >
            {t(enabled ? 'server_alerts.webhook_off' : 'server_alerts.webhook_on')}
            <span className="hide"> {name}</span>
          </button>
          <button className="btn" type="button" onClick={() => void changeWebhook(id, 'removed')}>
            {t('server_alerts.webhook_remove')}
            <span className="hide"> {name}</span>
          </button>
        </div>
      )}
    </li>
  );
}

function AddWebhook() {
  const { t } = useMessages();
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const isReady = name.trim() !== '' && whyNotAddress(address) === null;
  return (
    <form
      className="add"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        void addWebhook(name.trim(), address).then((ok) => {
          if (!ok) return;
          setName('');
          setAddress('');
        });
      }}
    >
      <div className="field">
        <label htmlFor="hook-name">{t('server_alerts.webhook_name')}</label>
        <input
          className="in"
          id="hook-name"
          maxLength={webhookLimits.name}
          value={name}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor="hook-address">{t('server_alerts.webhook_address')}</label>
        <input
          className="in"
          id="hook-address"
          dir="ltr"
          type="url"
          value={address}
          autoComplete="off"
          aria-describedby="hook-hint"
          onChange={({ target }) => setAddress(target.value.trim())}
        />
        <p className="hint" id="hook-hint">
          {t('server_alerts.webhook_address_hint')}
        </p>
      </div>
      <button className="btn" type="submit" disabled={!isReady}>
        {t('server_alerts.webhook_add')}
      </button>
    </form>
  );
}
