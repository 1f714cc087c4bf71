import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import type { PlanRefusal } from './planned.ts';

/** Why nothing can be offered: that a pack does not fit the server, or what else, with a second try where that may help. */
export function NotPlanned({
  refusal: { fits, can_retry, text },
  again,
}: {
  refusal: PlanRefusal;
  again(): void;
}) {
  const { t } = useMessages();
  return (
    <div className="say bad">
      <Icon name="critical" />
      <b>{t(fits ? 'server_content.plan_failed' : 'server_content.pack_unfit')}</b>
      <p>{text}</p>
      {can_retry && (
        <button className="btn" type="button" onClick={again}>
          {t('server_content.again')}
        </button>
      )}
    </div>
  );
}
