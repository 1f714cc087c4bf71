import { useStore } from '@nanostores/react';
import { alertKinds } from '#db/hosting/server-alerts/rules.ts';
import type { AlertsView } from '#db/hosting/server-alerts/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { useWithConnection } from '../../core/use-with-connection.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import {
  $alerts,
  $done,
  $draft,
  $problem,
  $refused,
  $working,
  type Draft,
  draftOf,
  isZoneWrong,
  loadAlerts,
  saveAlerts,
  sendTest,
  wrongIn,
} from './alerts.store.ts';
import { History } from './History.tsx';
import { Quiet } from './Quiet.tsx';
import { RuleLine } from './RuleLine.tsx';
import { Webhooks } from './Webhooks.tsx';

/** The alerts of one server: when, where, and what there was. */
export const Alerts = (props: PanelProps) => (
  <OptionsFrame {...props} option="alerts">
    {() => <Loaded />}
  </OptionsFrame>
);

function Loaded() {
  const alerts = useStore($alerts);
  const draft = useStore($draft);
  const problem = useStore($problem);
  useWithConnection(loadAlerts);
  if (!alerts || !draft) return <OptionsLoading problem={problem} reload={loadAlerts} />;
  return (
    <div className="alerts">
      <Form alerts={alerts} draft={draft} />
      <Channels alerts={alerts} />
      <History history={alerts.history} />
    </div>
  );
}

function Form({ alerts, draft }: { alerts: AlertsView; draft: Draft }) {
  const { t } = useMessages();
  const refused = useStore($refused);
  const working = useStore($working);
  const done = useStore($done);
  const isWrong = alertKinds.some((kind) => wrongIn(draft, kind)) || isZoneWrong(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(alerts));
  const set = (next: Draft) => {
    $done.set(null);
    $draft.set(next);
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) void saveAlerts(draft);
      }}
    >
      {!alerts.may_change && <p className="hint">{t('server_alerts.read_only')}</p>}
      <fieldset disabled={!alerts.may_change}>
        <legend>{t('server_alerts.rules')}</legend>
        <p className="hint">{t('server_alerts.rules_text')}</p>
        {alertKinds.map((kind) => (
          <RuleLine
            key={kind}
            kind={kind}
            rule={draft.rules[kind]}
            wrong={wrongIn(draft, kind)}
            onChange={(rule) => set({ ...draft, rules: { ...draft.rules, [kind]: rule } })}
          />
        ))}
      </fieldset>
      <Quiet
        quiet={draft.quiet}
        isWrong={isZoneWrong(draft)}
        disabled={!alerts.may_change}
        onChange={(quiet) => set({ ...draft, quiet })}
      />
      <div role="alert">
        {refused && (
          <Alert tone="bad" title={t('server_alerts.save_failed')}>
            {refused.description}
          </Alert>
        )}
      </div>
      {alerts.may_change && (
        <div className="acts">
          <p role="status">{done === 'saved' && t('server_alerts.saved')}</p>
          <button className="btn main" type="submit" disabled={working || isWrong || !isChanged}>
            {t('server_alerts.save')}
          </button>
        </div>
      )}
    </form>
  );
}

function Channels({ alerts }: { alerts: AlertsView }) {
  const { t, link } = useMessages();
  const done = useStore($done);
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">{t('server_alerts.channels')}</h2>
      <p>
        {t('server_alerts.channels_text')}{' '}
        <a className="link" href={link('/settings/notifications')}>
          {t('server_alerts.channels_link')}
        </a>
      </p>
      <Webhooks webhooks={alerts.webhooks} mayChange={alerts.may_change} />
      {alerts.may_change && (
        <div className="acts">
          <p role="status">{done === 'tested' && t('server_alerts.tested')}</p>
          <button className="btn" type="button" onClick={() => void sendTest()}>
            {t('server_alerts.test')}
          </button>
        </div>
      )}
    </section>
  );
}
