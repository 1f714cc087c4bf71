import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { failingAs } from './backup-wait.ts';
import { assertMade, waitForChange } from './change-wait.ts';
import type { ControlClient } from './control-client.ts';
import { print } from './print.ts';

export interface Waiting {
  json?: boolean;
  wait?: boolean;
}

/** Begins a change; prints it, with `wait` when it has ended. Whatever goes wrong is said after `failure`. */
export async function follow(
  plane: ControlClient,
  server_id: string,
  failure: string,
  begin: () => Promise<{ change: ChangeView }>,
  { wait, json }: Waiting,
): Promise<void> {
  const { change } = await failingAs(failure, begin);
  const note = (text: string) => console.error(text);
  const shown = wait
    ? await failingAs(failure, () => waitForChange(plane, { server_id, change }, note))
    : change;
  if (json) console.log(JSON.stringify(shown, null, 2));
  else print([changeLine(shown)]);
  if (wait) assertMade(shown, failure);
}

/** A change as one line of a table. */
const changeLine = ({ id, kind, step, items, created, error }: ChangeView) => ({
  ...{ id, kind, step },
  changes: items.map(({ title, from, to }) => `${title}: ${from ?? '-'} -> ${to ?? '-'}`).join(', '),
  created,
  error: error?.code ?? '',
});
