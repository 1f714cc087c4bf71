import type { MessageKey } from '#content/keys.ts';
import type { AlertKind } from '#db/hosting/server-alerts/rules.ts';
import type { AlertView } from '#db/hosting/server-alerts/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';

const names: Record<AlertKind, MessageKey> = {
  cpu: 'server_alerts.kind_cpu',
  memory: 'server_alerts.kind_memory',
  disk: 'server_alerts.kind_disk',
  tick: 'server_alerts.kind_tick',
  crash_loop: 'server_alerts.crash_loop',
  node_down: 'server_alerts.node_down',
  backup_failed: 'server_alerts.backup_failed',
  schedule_failed: 'server_alerts.schedule_failed',
};

/** The alerts that there were, the newest first. */
export function History({ history }: { history: readonly AlertView[] }) {
  const { t, formatting, number } = useMessages();
  const time = new Intl.DateTimeFormat(formatting, { dateStyle: 'medium', timeStyle: 'short' });
  const measured = ({ kind, value }: AlertView): string => {
    if (value === null) return '';
    return t(kind === 'tick' ? 'server_figures.ms' : 'server_figures.percent', { value: number(value, 1) });
  };
  return (
    <section aria-labelledby="history">
      <h2 id="history">{t('server_alerts.history')}</h2>
      {history.length === 0 ? (
        <p className="hint">{t('server_alerts.history_none_text')}</p>
      ) : (
        <div className="scroll">
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">{t('server_alerts.history_what')}</th>
                <th scope="col" className="num">
                  {t('server_alerts.history_value')}
                </th>
                <th scope="col">{t('server_alerts.history_began')}</th>
                <th scope="col">{t('server_alerts.history_ended')}</th>
              </tr>
            </thead>
            <tbody>
              {history.map((alert) => (
                <tr key={alert.id}>
                  <th scope="row">
                    {t(names[alert.kind])}
                    {!alert.told && <p className="hint">{t('server_alerts.silent')}</p>}
                  </th>
                  <td className="num">{measured(alert)}</td>
                  <td>{time.format(new Date(alert.began))}</td>
                  <td>
                    {alert.ended === null ? (
                      <span className="badge warn">{t('server_alerts.goes_on')}</span>
                    ) : (
                      time.format(new Date(alert.ended))
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
