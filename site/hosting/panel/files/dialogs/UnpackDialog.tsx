import { useEffect, useState } from 'react';
import { readableName } from '#db/platform/files/raw-names/rules.ts';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import type { Result } from '../../../shared/request.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { unpack } from '../long-actions.ts';
import { parentOf, shownNameOf } from '../paths.ts';
import { useWhyNotAllowed } from '../why-not.ts';
import { FolderPicker } from './FolderPicker.tsx';

type Plan = Result<'files.unpack_plan'>;
const choices = ['replace', 'skip', 'rename'] as const;
const labels = {
  replace: 'server_files.replace_all',
  skip: 'server_files.skip_all',
  rename: 'server_files.keep_both_all',
} as const;

/** Says what unpacking would do before it is done, and asks about what is there already. */
export function UnpackDialog({ path, done }: { path: string; done(): void }) {
  const messages = useMessages();
  const { t, count } = messages;
  const whyNot = useWhyNotAllowed();
  const [into, setInto] = useState(parentOf(path));
  const [choice, setChoice] = useState<(typeof choices)[number]>('rename');
  const { plan, problem } = usePlan(path, into);
  const conflicts = (plan?.conflicts.length ?? 0) + (plan?.more_conflicts ?? 0);
  return (
    <FormDialog
      title={t('server_files.unpack_one', { name: shownNameOf(path) })}
      action={t('server_files.unpack_here')}
      whyNot={whyNot}
      isReady={plan !== null}
      isBusy={plan === null && problem === ''}
      submit={() => {
        void unpack(path, into, choice);
        return true;
      }}
      done={done}
    >
      <FolderPicker path={into} choose={setInto} />
      <p role="status" className={problem ? 'err' : 'dim'}>
        {problem ||
          (plan
            ? t('server_files.unpack_plan', {
                files: count('server_files.count', plan.files),
                size: sizeText(messages, plan.bytes),
              })
            : t('server_files.unpack_looking'))}
      </p>
      {plan && plan.unclear > 0 && (
        <p className="dim">
          {count('server_files.unpack_unclear', plan.unclear)}{' '}
          <bdi translate="no">{plan.unclear_names.map(readableName).join(', ')}</bdi>
        </p>
      )}
      {plan && conflicts > 0 && (
        <fieldset className="clashes">
          <legend className="label">{count('server_files.unpack_conflicts', conflicts)}</legend>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <ul tabIndex={0} aria-label={count('server_files.unpack_conflicts', conflicts)}>
            {plan.conflicts.map((one) => (
              <li key={one}>
                <bdi>{one}</bdi>
              </li>
            ))}
            {plan.more_conflicts > 0 && <li>{count('server_files.and_more', plan.more_conflicts)}</li>}
          </ul>
          {choices.map((one) => (
            <label key={one} className="check">
              <input type="radio" name="unpack" checked={choice === one} onChange={() => setChoice(one)} />
              {t(labels[one])}
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

function usePlan(path: string, into: string): { plan: Plan | null; problem: string } {
  const [state, setState] = useState<{ plan: Plan | null; problem: string }>({ plan: null, problem: '' });
  useEffect(() => {
    let isCurrent = true;
    setState({ plan: null, problem: '' });
    void requestFromPanel('files.unpack_plan', { path, into }).then((answer) => {
      if (!isCurrent) return;
      setState(
        answer.ok
          ? { plan: answer.data, problem: '' }
          : { plan: null, problem: answer.error.description || '–' },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [path, into]);
  return state;
}
