import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { PublishState } from './publish.store.ts';

interface SubmitBarProps {
  state: PublishState;
  isEdit: boolean;
  problem: string | undefined;
  /** Where cancelling leads. */
  path: string;
}

/** The button that publishes, and what it waits for. */
export function SubmitBar({ state: { phase, drafts, problems }, isEdit, problem, path }: SubmitBarProps) {
  const { t, count, link } = useMessages();
  const wrong = Object.values(problems).reduce((sum, one) => sum + Object.keys(one).length, 0);
  const action = isEdit ? t('publish.save') : count('publish.publish', drafts.length);
  return (
    <div className="submit">
      <div aria-live="polite">
        {phase === 'waiting' && <p>{t('publish.after_upload')}</p>}
        {phase === 'publishing' && <p>{t('publish.publishing')}</p>}
        {problem && <p className="hint bad">{problem}</p>}
        {!problem && wrong > 0 && <p className="hint bad">{count('publish.problems', wrong)}</p>}
      </div>
      <span className="row">
        <a className="btn quiet" href={link(path)}>
          {t('publish.cancel')}
        </a>
        <button className="btn primary" type="submit" aria-disabled={phase !== 'editing'}>
          {action}
        </button>
      </span>
    </div>
  );
}
