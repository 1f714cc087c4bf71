import { useStore } from '@nanostores/react';
import { openSteps, whyNotCancelChange } from '#db/hosting/servers/changes/rules.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { cancelChange } from './actions.ts';
import { $waiting } from './loader.store.ts';

/** Other changes are made while the server runs. */
const stopping: readonly string[] = ['loader', 'modpack', 'undo'];
/** Whether a step is part of a change, as far as its kind tells. */
const isShown = (step: string, { kind, step: now }: ChangeView): boolean =>
  step === now || step === 'applying' || (step !== 'erasing' && stopping.includes(kind));

/** The steps of the change in progress. */
export function Progress({ change }: { change: ChangeView }) {
  const { t, number } = useMessages();
  const waiting = useStore($waiting);
  const steps = openSteps.filter((one) => isShown(one, change));
  const position = steps.indexOf(change.step as (typeof steps)[number]);
  const step = steps[position] ?? 'applying';
  const { progress } = change;
  const share = progress?.total ? Math.min(1, progress.done / progress.total) : undefined;
  const isCancellable = whyNotCancelChange({ step, fetches: false }) === null;
  return (
    <section className="setup" aria-labelledby="loader-progress">
      <h2 id="loader-progress">{t('loader.changing')}</h2>
      <p className="hide" role="status">
        {t(`loader.step_${step}`)}. {t(`loader.text_${step}`)}
      </p>
      <ol className="steps">
        {steps.map((one, at) => (
          <li
            key={one}
            className={at < position ? 'done' : undefined}
            aria-current={at === position ? 'step' : undefined}
          >
            <Icon name={at < position ? 'done' : at > position ? 'ahead' : 'current'} />
            <b>
              {t(`loader.step_${one}`)}
              {at < position && <span className="hide"> ({t('loader.step_done')})</span>}
            </b>
            {at === position && (
              <>
                <p className="meta">
                  {t(`loader.text_${one}`)}{' '}
                  {share !== undefined && t('servers.percent', { number: number(Math.floor(share * 100)) })}
                </p>
                <progress className="meter go" max="1" value={share} aria-label={t(`loader.step_${one}`)} />
              </>
            )}
          </li>
        ))}
      </ol>
      {isCancellable && (
        <div className="row">
          <button
            className="btn"
            type="button"
            aria-busy={waiting === 'cancel'}
            onClick={() => void cancelChange(change.id, t('loader.cancel_failed'))}
          >
            {t('loader.cancel')}
          </button>
        </div>
      )}
    </section>
  );
}
