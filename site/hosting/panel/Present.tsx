import { useStore } from '@nanostores/react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { PersonPicture } from '../shared/PersonPicture.tsx';
import { $present } from './core/panel.store.ts';

const max_pictures = 5;

/** Who has the panel open now: pictures, and all names in a list. */
export function Present() {
  const { t, number } = useMessages();
  const people = useStore($present);
  const shown = people.slice(0, max_pictures);
  return (
    <details className="pop present" data-menu>
      <summary className="btn quiet">
        <span className="hide">{`${t('servers.present')}: ${number(people.length)}`}</span>
        {shown.map(({ user_id, ...person }) => (
          <PersonPicture key={user_id} {...person} size={24} />
        ))}
        {people.length > shown.length && (
          <span aria-hidden="true">+{number(people.length - shown.length)}</span>
        )}
      </summary>
      <ul className="menu" aria-label={t('servers.present')}>
        {people.map(({ user_id, ...person }) => (
          <li key={user_id} className="row">
            <PersonPicture {...person} size={24} />
            <bdi>{person.username}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}
