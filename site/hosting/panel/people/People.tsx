import { useStore } from '@nanostores/react';
import { useContext, useEffect, useState } from 'react';
import { whyNotGrant } from '#db/hosting/servers/people/grant-rules.ts';
import type { ServerPeople, ServerPerson } from '#db/hosting/servers/people/view.ts';
import { type ServerRight, serverRights } from '#db/hosting/servers/rights/rules.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { PersonPicture } from '../../shared/PersonPicture.tsx';
import { type Confirmation, useConfirm } from '../../shared/use-confirm.tsx';
import { AccessContext, me, serverFacts, useAllowed, whyNotNow } from '../core/access.ts';
import { $connection } from '../core/panel.store.ts';
import { useWithConnection } from '../core/use-with-connection.ts';
import type { PanelProps } from '../PanelFrame.tsx';
import { AccessFrame } from './AccessFrame.tsx';
import { PersonDialog } from './PersonDialog.tsx';
import { PersonLine } from './PersonLine.tsx';
import { $people, $problem, leave, loadPeople, reloadWhenSeen, remove, resend } from './people.store.ts';

/** The people on one server: who they are, what they may do, and invitations. */
export const People = (props: PanelProps) => (
  <AccessFrame {...props} path="/access">
    {(server) => <Loaded server={server} />}
  </AccessFrame>
);

function Loaded({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const people = useStore($people);
  const problem = useStore($problem);
  useWithConnection(loadPeople);
  useEffect(reloadWhenSeen, []);
  if (problem)
    return (
      <Alert
        tone="bad"
        title={t('server_access.load_failed')}
        action={
          <button className="btn" type="button" onClick={() => void loadPeople()}>
            {t('server_access.reload')}
          </button>
        }
      >
        {problem.description}
      </Alert>
    );
  if (people) return <List server={server} people={people} />;
  return (
    <>
      <p className="hide" role="status">
        {t('server_access.loading')}
      </p>
      <Skeleton rows={4} />
    </>
  );
}

/** What the dialog is about. */
type Open = { user_id: string | null };

function List({
  server,
  people: { owner, people, most, me: my_id },
}: {
  server: ServerView;
  people: ServerPeople;
}) {
  const labels = useMessages();
  const { t, number, link } = labels;
  const access = useContext(AccessContext);
  const manages = useAllowed(whyNotHave.people);
  const isOpen = useStore($connection) === 'open';
  const [open, setOpen] = useState<Open | null>(null);
  const { confirm, dialog } = useConfirm();
  const own: readonly ServerRight[] = access.owner ? serverRights : access.rights;
  const whyNot = whyNotNow(labels, isOpen, whyNotHave.people);
  const about = people.find(({ user_id }) => user_id === open?.user_id);
  const whyNotTouch = ({ rights }: ServerPerson) =>
    whyNot ?? (whyNotGrant(me, serverFacts(access), rights) && t('error.server_rights_exceeded'));
  const removal = ({ user_id, username }: ServerPerson): Confirmation => ({
    title: t('server_access.remove_title', { person: `\u2068${username}\u2069` }),
    text: t('server_access.remove_text'),
    action: t('server_access.remove'),
    act: () => void remove(user_id),
  });
  const leaving: Confirmation = {
    title: t('server_access.leave_title'),
    text: t('server_access.leave_text'),
    action: t('server_access.leave'),
    act: () => void leave(link('/servers/manage'), t('server_access.left', { name: server.name })),
  };
  const isMember = people.some(({ user_id, accepted }) => user_id === my_id && accepted !== null);
  return (
    <section className="people" aria-labelledby="people-head">
      <header className="row wrap">
        <div>
          <h2 id="people-head">{t('server_access.people')}</h2>
          <p className="meta">
            {t('server_access.count', { count: number(people.length), most: number(most) })}
          </p>
        </div>
        <div className="acts push">
          {isMember && (
            <button className="btn" type="button" aria-disabled={!isOpen} onClick={() => confirm(leaving)}>
              {t('server_access.leave')}
            </button>
          )}
          {manages && (
            <button
              className="btn primary"
              type="button"
              aria-disabled={whyNot !== null}
              data-tip={whyNot ?? undefined}
              onClick={() => whyNot === null && setOpen({ user_id: null })}
            >
              <Icon name="add" />
              {t('server_access.invite')}
            </button>
          )}
        </div>
      </header>
      <p className="dim">{t(access.owner ? 'server_access.intro' : 'server_access.intro_member')}</p>
      <ul className="lines">
        <li>
          <PersonPicture username={owner.username} avatar_url={owner.avatar_url} />
          <div>
            <p className="name">
              <bdi>{owner.username}</bdi>{' '}
              {owner.user_id === my_id && <span className="badge">{t('server_access.you')}</span>}
            </p>
            <p className="meta">
              {t('server_access.role_owner')} · {t('server_access.all_rights')}
            </p>
          </div>
        </li>
        {people.map((person) => (
          <PersonLine
            key={person.user_id}
            {...{ person, manages }}
            isMe={person.user_id === my_id}
            whyNot={whyNotTouch(person)}
            change={() => setOpen({ user_id: person.user_id })}
            resend={() => void resend(person.user_id, t('server_access.resent'))}
            remove={() => confirm(removal(person))}
          />
        ))}
      </ul>
      {people.length === 0 && <p className="dim">{t('server_access.nobody')}</p>}
      {open && (open.user_id === null || about) && (
        <PersonDialog person={about} own={own} whyNot={whyNot} done={() => setOpen(null)} />
      )}
      {dialog}
    </section>
  );
}
