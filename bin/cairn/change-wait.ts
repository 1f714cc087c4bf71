import { isOpenStep } from '#db/hosting/servers/changes/rules.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import type { ControlClient } from './control-client.ts';

/** Exit code of a command whose change was made, but the server crashed at its first start afterwards. */
const start_failed_exit_code = 2;

/**
 * Waits until a change of a server has ended and gives it; `note` is told every step. After a lost connection it goes on
 * waiting. Ends the command when the access to the server is gone.
 */
export async function waitForChange(
  { request, socket }: Pick<ControlClient, 'request' | 'socket'>,
  { server_id, change }: { server_id: string; change: ChangeView },
  note: (text: string) => void,
): Promise<ChangeView> {
  let said = '';
  return await new Promise<ChangeView>((done, fail) => {
    const look = (changes: readonly ChangeView[]) => {
      const found = changes.find(({ id }) => id === change.id);
      if (!found) return;
      if (!isOpenStep(found.step)) return done(found);
      const text = progressText(found);
      if (text !== said) note(text);
      said = text;
    };
    socket.on('changes', (message) => {
      if (message.server_id === server_id) look(message.changes);
    });
    socket.on('access.revoked', ({ server_id: id, description }) => {
      if (id === server_id) fail(new UserError(description));
    });
    const join = async () => {
      await request('server.join', { server_id, rooms: ['tasks'] });
      const newest = (await request('loader.show', { server_id })).change;
      // a newer one begins only after it has ended
      look(newest ? [newest] : []);
    };
    const joinAgain = () => void join().catch(fail);
    socket.on('connect', joinAgain);
    joinAgain();
  });
}

/** What is in progress, and how far: "applying 40 %". */
function progressText({ step, progress }: Pick<ChangeView, 'step' | 'progress'>): string {
  if (!progress?.total) return step;
  // in steps, so that a log stays short
  return `${step} ${Math.min(100, Math.floor((progress.done / progress.total) * 10) * 10)} %`;
}

/** Throws why a change was not made: exit code 1; 2 when it was, but its first start failed. */
export function assertMade({ step, error, start_failed }: ChangeView, failure: string): void {
  if (step === 'cancelled') throw new UserError(`${failure}: ${new Refused('change_canceled').message}`);
  if (step === 'failed' && error)
    throw new UserError(`${failure}: ${new Refused(error.code as RefusalCode, error.data).message}`);
  if (start_failed)
    throw new UserError(
      'The change was made, but the server crashed at its first start. Read its log, or take the change back.',
      start_failed_exit_code,
    );
}
