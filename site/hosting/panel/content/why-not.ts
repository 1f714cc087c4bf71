import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { whyNotHave, whyNotOperate } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { factsOf } from '../../shared/state.ts';
import { whyNotNow } from '../core/access.ts';
import { currentChange } from './change.ts';

/** Why no content can be changed now, in words; null when it can. */
export function whyNotChangeContent(
  labels: PageMessages,
  { server, changes, isOpen }: { server: ServerView; changes: readonly ChangeView[]; isOpen: boolean },
): string | null {
  const why = whyNotNow(labels, isOpen, whyNotHave.content);
  if (why) return why;
  const code = whyNotOperate(factsOf(server));
  if (code) return refusalText(labels, { error: code, description: '' });
  return currentChange(changes) ? labels.t('server_content.change_goes_on') : null;
}
