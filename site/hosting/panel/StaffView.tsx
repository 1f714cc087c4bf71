import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';

/** Says to staff that the server is somebody else's, and that what they do there is recorded. */
export function StaffView({ owner }: { owner: string }) {
  const { t } = useMessages();
  return (
    <Alert tone="warn" title={t('servers.staff_view', { name: `\u2068${owner}\u2069` })}>
      {t('servers.staff_view_text')}
    </Alert>
  );
}
