import { useStore } from '@nanostores/react';
import { alertKinds } from '#db/hosting/server-alerts/rules.ts';
import type { AlertsView } from '#db/hosting/server-alerts/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { usePanelForm } from '../../core/form.ts';
import { useWithConnection } from '../../core/use-with-connection.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import {
  $alerts,
  $problem,
  $tested,
  alertsForm,
  type Draft,
  draftOf,
  editAlerts,
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
  const draft = useStore(alertsForm.$draft);
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
  const { refused, saving, saved } = usePanelForm(alertsForm);
  const isWrong = alertKinds.some((kind) => wrongIn(draft, kind)) || isZoneWrong(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(alerts));
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
            onChange={(rule) => editAlerts({ rules: { ...draft.rules, [kind]: rule } })}
          />
        ))}
      </fieldset>
      <Quiet
        quiet={draft.quiet}
        isWrong={isZoneWrong(draft)}
        disabled={!alerts.may_change}
        onChange={(quiet) => editAlerts({ quiet })}
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
          <p role="status">{saved && t('server_alerts.saved')}</p>
          <button className="btn main" type="submit" disabled={saving || isWrong || !isChanged}>
            {t('server_alerts.save')}
          </button>
        </div>
      )}
    </form>
  );
}

function Channels({ alerts }: { alerts: AlertsView }) {
  const { t, link } = useMessages();
  const tested = useStore($tested);
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
          <p role="status">{tested && t('server_alerts.tested')}</p>
          <button className="btn" type="button" onClick={() => void sendTest()}>
            {t('server_alerts.test')}
          </button>
        </div>
      )}
    </section>
  );
}
