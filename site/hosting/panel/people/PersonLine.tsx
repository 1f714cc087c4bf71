import type { ServerPerson } from '#db/hosting/servers/people/view.ts';
import { serverRights } from '#db/hosting/servers/rights/rules.ts';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { PersonPicture } from '../../shared/PersonPicture.tsx';

interface PersonLineProps {
  person: ServerPerson;
  isMe: boolean;
  /** Whether the user may change people, and why not this one now. */
  manages: boolean;
  whyNot: string | null;
  change(): void;
  resend(): void;
  remove(): void;
}

/** One person, or an invitation: the role, what it allows, and what can be done. */
export function PersonLine({ person, isMe, manages, whyNot, change, resend, remove }: PersonLineProps) {
  const labels = useMessages();
  const { t } = labels;
  const { username, avatar_url, role, accepted, invited_by } = person;
  const isInvited = accepted === null;
  const button = (text: string, act: () => void, look = 'btn quiet s') => (
    <button
      className={look}
      type="button"
      aria-disabled={whyNot !== null}
      data-tip={whyNot ?? undefined}
      onClick={() => whyNot === null && act()}
    >
      {text} <bdi className="hide">{username}</bdi>
    </button>
  );
  return (
    <li className={isInvited ? 'faint' : undefined}>
      <PersonPicture {...{ username, avatar_url }} />
      <div>
        <p className="name">
          <bdi>{username}</bdi> {isMe && <span className="badge">{t('server_access.you')}</span>}
        </p>
        <p className="meta">
          {t(`server_access.role_${role}`)} · {rightsText(labels, person)}
        </p>
        {isInvited && (
          <p className="meta">
            {t('server_access.waits')}
            {invited_by && ` · ${t('server_access.invited_by', { person: `\u2068${invited_by}\u2069` })}`}
          </p>
        )}
      </div>
      {manages && !isMe && (
        <div className="acts">
          {button(t('server_access.change'), change)}
          {isInvited && button(t('server_access.resend'), resend)}
          {button(
            t(isInvited ? 'server_access.withdraw' : 'server_access.remove'),
            remove,
            'btn danger-quiet s',
          )}
        </div>
      )}
    </li>
  );
}

/** The rights of a person as a list. */
function rightsText({ t, formatting }: PageMessages, { rights }: ServerPerson): string {
  if (rights.length === 0) return t('server_access.no_rights');
  if (rights.length === serverRights.length) return t('server_access.all_rights');
  const names = serverRights
    .filter((right) => rights.includes(right))
    .map((right) => t(`server_access.right_${right}`));
  return new Intl.ListFormat(formatting, { type: 'conjunction', style: 'narrow' }).format(names);
}
