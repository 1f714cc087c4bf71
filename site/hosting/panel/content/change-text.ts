import type { MessageKey } from '#content/keys.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';

/** What is said of a change of content. */

/** What a change is, with its number of files as `count`. */
export const kindText = ({ kind }: ChangeView): MessageKey => `server_content.change_${kind}`;
export const stepText = ({ step }: ChangeView): MessageKey => `server_content.step_${step}`;

/** Why a change failed, in words; a code without a text as it is, for support. */
export function reasonText({ t }: PageMessages, { code, data }: NonNullable<ChangeView['error']>): string {
  const key = `error.${code}`;
  const text = t(key as MessageKey, data);
  return text === key ? t('server_content.why_code', { code }) : text;
}
