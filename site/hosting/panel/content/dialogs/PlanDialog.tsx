import { useState } from 'react';
import type { ContentPlan } from '#db/hosting/servers/content/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { type RefusedIn, refusalIn } from '../actions.ts';
import { NotPlanned } from './NotPlanned.tsx';
import { PlanLines } from './PlanLines.tsx';
import type { Planned } from './planned.ts';
import { Waiting } from './Waiting.tsx';

interface PlanDialogProps {
  title: string;
  /** Name of the button that does it. */
  action: string;
  /** Shown when there is nothing to do. */
  nothing: string;
  planned: Planned<{ plan: ContentPlan }>;
  again(): void;
  /** Why nothing can be changed now. */
  whyNot: string | null;
  /** Whether the server runs: it loads what is new at its next start. */
  isRunning: boolean;
  submit(plan: ContentPlan, op_id: string, refused: RefusedIn): Promise<boolean>;
  done(): void;
}

/** What a change would do, before it is done: files that come with their versions, dependencies, what is left out and why. */
export function PlanDialog(props: PlanDialogProps) {
  const { title, action, nothing, planned, again, whyNot, isRunning, submit, done } = props;
  const labels = useMessages();
  const { t } = labels;
  // one for the whole dialog, so that a second try is not a second change
  const [op_id] = useState(() => crypto.randomUUID());
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const plan = planned.state === 'ready' ? planned.data.plan : null;
  const send = async () => {
    if (!plan) return false;
    setProblem(null);
    return await submit(plan, op_id, (error) => {
      setProblem([t('server_content.failed'), refusalIn(labels, error)]);
      if (error.code === 'content_changed') again();
      return true;
    });
  };
  const unready = plan === null ? t('server_content.planning') : plan.add.length === 0 ? nothing : null;
  return (
    <FormDialog {...{ title, action, problem, done }} whyNot={whyNot ?? unready} submit={send}>
      {planned.state === 'loading' && <Waiting text="server_content.planning" />}
      {planned.state === 'refused' && <NotPlanned refusal={planned.refusal} again={again} />}
      {plan && plan.add.length === 0 && plan.skipped.length === 0 && <p>{nothing}</p>}
      {plan && <PlanLines plan={plan} />}
      {plan && plan.add.length > 0 && isRunning && (
        <p className="meta">{t('server_content.restart_later')}</p>
      )}
    </FormDialog>
  );
}
