import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

/** Why a server crashed, as one sentence. */
export function CrashCause({ crash }: { crash: NonNullable<ServerView['crash']> }) {
  const { t } = useMessages();
  if (crash.out_of_memory) return t('servers.crashed_memory');
  return crash.exit_code === null
    ? t('servers.crashed_no_code')
    : t('servers.crashed_code', { code: String(crash.exit_code) });
}
