import type { ReactNode } from 'react';
import { type SetupStep, setupSteps } from '#db/hosting/servers/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';

interface Props {
  /** The current step; `payment` comes before all others. */
  at: SetupStep | 'payment';
  /** What happens in it, in a sentence. */
  text: string;
  /** Whether it failed and does not go on. */
  failed?: boolean;
  /** What to know or do meanwhile. */
  children: ReactNode;
}

/** The steps from an order to a running server, with the current one and what happens in it. */
export function SetupSteps({ at, text, failed = false, children }: Props) {
  const { t } = useMessages();
  const steps = at === 'payment' ? (['payment', ...setupSteps] as const) : setupSteps;
  const position = steps.indexOf(at as SetupStep);
  const name = t(`servers.setup_${at}`);
  return (
    <section className="setup" aria-labelledby="setup">
      <h2 id="setup">{t(failed ? 'servers.setup_failed' : 'servers.setup')}</h2>
      <p className="hide" role="status">
        {name}. {text}
      </p>
      <ol className="steps">
        {steps.map((step, i) => (
          <li
            key={step}
            className={i < position ? 'done' : i === position && failed ? 'bad' : undefined}
            aria-current={i === position ? 'step' : undefined}
          >
            <Icon name={i < position ? 'done' : i > position ? 'ahead' : failed ? 'critical' : 'current'} />
            <b>
              {t(`servers.setup_${step}`)}
              {i < position && <span className="hide"> ({t('servers.setup_done')})</span>}
            </b>
            {i === position && <p className="meta">{text}</p>}
            {i === position && !failed && <progress className="meter go" aria-label={name} />}
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
