import { useId } from 'react';
import { type ServerRight, serverRights } from '#db/hosting/servers/rights/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';

interface RightsTableProps {
  chosen: readonly ServerRight[];
  /** Those that the user may give. */
  own: readonly ServerRight[];
  choose(rights: ServerRight[]): void;
}

/** All rights with what they allow, each with a checkbox; those that the user does not have cannot be changed. */
export function RightsTable({ chosen, own, choose }: RightsTableProps) {
  const { t } = useMessages();
  const id = useId();
  const toggle = (right: ServerRight) =>
    choose(serverRights.filter((one) => (one === right ? !chosen.includes(one) : chosen.includes(one))));
  return (
    <table className="rights">
      <thead className="hide">
        <tr>
          <th scope="col">{t('server_access.right_allowed')}</th>
          <th scope="col">{t('server_access.right')}</th>
        </tr>
      </thead>
      <tbody>
        {serverRights.map((right) => {
          const isOwn = own.includes(right);
          return (
            <tr key={right} className={isOwn ? undefined : 'faint'}>
              <td className="check">
                <input
                  type="checkbox"
                  id={`${id}-${right}`}
                  checked={chosen.includes(right)}
                  disabled={!isOwn}
                  aria-describedby={`${id}-${right}-text`}
                  onChange={() => toggle(right)}
                />
              </td>
              <th scope="row">
                <label htmlFor={`${id}-${right}`}>{t(`server_access.right_${right}`)}</label>
                <span className="meta" id={`${id}-${right}-text`}>
                  {t(isOwn ? `server_access.right_${right}_text` : 'server_access.right_not_yours')}
                </span>
              </th>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
