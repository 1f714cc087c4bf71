import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { type ActivityKind, activityKinds } from '#db/hosting/servers/activity/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { $people } from '../people/people.store.ts';
import { $entries, $filter, filterBy } from './activity.store.ts';

/** Who did it, what kind, and when. */
export function Filters() {
  const { t } = useMessages();
  const id = useId();
  const filter = useStore($filter);
  return (
    <search className="row wrap filters">
      <div className="field">
        <label htmlFor={`${id}-person`}>{t('server_activity.filter_person')}</label>
        <select
          className="in"
          id={`${id}-person`}
          value={filter.person}
          onChange={({ target }) => filterBy({ person: target.value })}
        >
          <option value="">{t('server_activity.filter_all')}</option>
          {useNames(filter.person).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-kind`}>{t('server_activity.filter_kind')}</label>
        <select
          className="in"
          id={`${id}-kind`}
          value={filter.kind}
          onChange={({ target }) => filterBy({ kind: target.value as ActivityKind | '' })}
        >
          <option value="">{t('server_activity.filter_all')}</option>
          {activityKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`server_activity.kind_${kind}`)}
            </option>
          ))}
        </select>
      </div>
      {(['since', 'until'] as const).map((end) => (
        <div className="field" key={end}>
          <label htmlFor={`${id}-${end}`}>{t(`server_activity.filter_${end}`)}</label>
          <input
            className="in"
            type="date"
            id={`${id}-${end}`}
            value={filter[end]}
            onChange={({ target }) => filterBy({ [end]: target.value })}
          />
        </div>
      ))}
    </search>
  );
}

/** Everybody on the server, and who else did something of what is shown. */
function useNames(chosen: string): string[] {
  const people = useStore($people);
  const entries = useStore($entries) ?? [];
  const names = [
    ...(people ? [people.owner.username, ...people.people.map(({ username }) => username)] : []),
    ...entries.flatMap(({ username }) => username ?? []),
    chosen,
  ];
  return [...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b));
}
