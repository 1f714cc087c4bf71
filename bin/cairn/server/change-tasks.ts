import { isOpenStep } from '#db/hosting/servers/changes/rules.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import { UserError } from '../../user-error.ts';
import { show } from '../print.ts';
import { type Following, failingAs, type TaskKind, type Waiting, waitForTask } from './tasks.ts';

/** Exit code of a command whose change was made, but the server crashed at its first start afterwards. */
const start_failed_exit_code = 2;

/** A change of content or loader. */
const changeTask: TaskKind<ChangeView> = {
  onChange: (socket, told) => {
    socket.on('changes', ({ server_id, changes }) => told(server_id, changes));
  },
  read: async (request, server_id) => {
    const { change } = await request('loader.show', { server_id });
    // a newer one begins only after it has ended
    return change ? [change] : [];
  },
  stepOf: ({ step }) => step,
  isOpen: ({ step }) => isOpenStep(step),
};

/** Prints a change that began, with `wait` when it has ended. */
export async function followChange(
  { change }: { change: ChangeView },
  { server_id, wait, json }: Waiting,
  { plane, failure }: Pick<Following, 'plane' | 'failure'>,
): Promise<void> {
  const shown = wait
    ? await failingAs(failure, () => waitForTask(plane, changeTask, { server_id, id: change.id }))
    : change;
  await show(shown, json, (one) => [changeLine(one)]);
  if (wait) assertMade(shown, failure);
}

/** A change as one line of a table. */
const changeLine = ({ id, kind, step, items, created, error }: ChangeView) => ({
  ...{ id, kind, step },
  changes: items.map(({ title, from, to }) => `${title}: ${from ?? '-'} -> ${to ?? '-'}`).join(', '),
  created,
  error: error?.code ?? '',
});

/** Throws why a change was not made: exit code 1; 2 when it was, but its first start failed. */
function assertMade({ step, error, start_failed }: ChangeView, failure: string): void {
  if (step === 'cancelled') throw new UserError(`${failure}: ${new Refused('change_canceled').message}`);
  if (step === 'failed' && error)
    throw new UserError(`${failure}: ${new Refused(error.code as RefusalCode, error.data).message}`);
  if (start_failed)
    throw new UserError(
      'The change was made, but the server crashed at its first start. Read its log, or take the change back.',
      start_failed_exit_code,
    );
}
