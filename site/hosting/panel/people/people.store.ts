import type { MemberRole, ServerRight } from '#db/hosting/servers/rights/rules.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import type { Result } from '../../shared/request.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { panelResource } from '../core/resource.ts';

/** The people on the server of the page. */

export const {
  $data: $people,
  $problem,
  load: loadPeople,
} = panelResource({ event: 'people.list', read: ({ people }) => people });

const shown = ({ people }: Result<'people.list'>) => {
  $problem.set(null);
  $people.set(people);
};

/** Follows what others change while the page is hidden. Gives how to end that. */
export function reloadWhenSeen(): () => void {
  const onVisible = () => document.hidden || void loadPeople();
  document.addEventListener('visibilitychange', onVisible);
  return () => document.removeEventListener('visibilitychange', onVisible);
}

type Refused = (error: ApiError) => boolean;
interface Granted {
  role: MemberRole;
  rights: ServerRight[];
}

/** Invites somebody; gives whether it worked. A refusal is shown by `refused`. */
export const invite = async (given: Granted & { username: string }, refused: Refused): Promise<boolean> =>
  (await mutate({ send: () => requestFromPanel('people.invite', given), refresh: shown, refused })).ok;

/** Changes what somebody may do; gives whether it worked. What was removed meanwhile is shown as it is then. */
export async function change(given: Granted & { user_id: string }, refused: Refused): Promise<boolean> {
  const send = () => requestFromPanel('people.change', given);
  const result = await mutate({ send, repeatable: true, refresh: shown, refused });
  if (!result.ok) void loadPeople();
  return result.ok;
}

/** Sends an invitation again, and says so. */
export async function resend(user_id: string, sent: string): Promise<void> {
  const send = () => requestFromPanel('people.resend', { user_id });
  await mutate({ send, refresh: shown, success: { title: sent, text: '' } });
}

/** Removes somebody, or withdraws an invitation. */
export async function remove(user_id: string): Promise<void> {
  const send = () => requestFromPanel('people.remove', { user_id });
  const result = await mutate({ send, refresh: shown });
  if (!result.ok) void loadPeople();
}

/** Leaves the server, then leads to `list` and says so there. */
export async function leave(list: string, left: string): Promise<void> {
  await mutate({
    send: () => requestFromPanel('people.leave', {}),
    success: { title: left, text: '' },
    redirect: () => list,
  });
}
