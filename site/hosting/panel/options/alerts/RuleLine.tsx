import type { MessageKey } from '#content/keys.ts';
import { type AlertKind, defaultRules } from '#db/hosting/server-alerts/rules.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import type { Draft } from './alerts.store.ts';

type Rule = Draft['rules'][AlertKind];

interface RuleLineProps {
  kind: AlertKind;
  rule: Rule;
  wrong: { field: 'over' | 'minutes'; least: number; most: number } | null;
  onChange(rule: Rule): void;
}

const labels: Record<AlertKind, MessageKey> = {
  cpu: 'server_alerts.cpu',
  memory: 'server_alerts.memory',
  disk: 'server_alerts.disk',
  tick: 'server_alerts.tick',
  crash_loop: 'server_alerts.crash_loop',
  node_down: 'server_alerts.node_down',
  backup_failed: 'server_alerts.backup_failed',
  schedule_failed: 'server_alerts.schedule_failed',
};

/** One rule: whether it is on, its bound, and for how long it must be crossed. */
export function RuleLine({ kind, rule, wrong, onChange }: RuleLineProps) {
  const { t, number } = useMessages();
  const { over, minutes } = defaultRules[kind];
  const label = t(labels[kind]);
  const field = (name: 'over' | 'minutes') => (
    <input
      className="in"
      dir="ltr"
      inputMode="numeric"
      autoComplete="off"
      aria-label={t(name === 'over' ? 'server_alerts.bound_label' : 'server_alerts.minutes_label', {
        kind: label,
      })}
      aria-invalid={wrong?.field === name ? true : undefined}
      aria-describedby={wrong?.field === name ? `wrong-${kind}` : undefined}
      disabled={!rule.enabled}
      value={rule[name]}
      onChange={({ target }) => onChange({ ...rule, [name]: target.value.trim() })}
    />
  );
  return (
    <div className="rule">
      <label className="check">
        <input
          type="checkbox"
          checked={rule.enabled}
          onChange={({ target }) => onChange({ ...rule, enabled: target.checked })}
        />
        {label}
      </label>
      <span className="bounds">
        {over !== null && (
          <span>
            {field('over')} {t(kind === 'tick' ? 'server_alerts.ms' : 'server_alerts.percent')}
          </span>
        )}
        {minutes !== null && (
          <span>
            {t('server_alerts.for')} {field('minutes')} {t('server_alerts.minutes')}
          </span>
        )}
      </span>
      {wrong && (
        <p className="hint bad" id={`wrong-${kind}`}>
          {t('server_alerts.between', { least: number(wrong.least), most: number(wrong.most) })}
        </p>
      )}
    </div>
  );
}
