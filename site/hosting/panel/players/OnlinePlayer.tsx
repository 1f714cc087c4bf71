import { useStore } from '@nanostores/react';
import { isSameName } from '#db/hosting/servers/players/rules.ts';
import type { ListView, PlayersView } from '#db/hosting/servers/players/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { $changing, changePlayers } from './players.store.ts';

/** What puts somebody who is online on a list, with one press. */
const additions = [
  { action: 'op', list: 'operators' },
  { action: 'whitelist_add', list: 'whitelist' },
] as const;

interface Props {
  who: string;
  /** The lists; null while they are not known, or not for this user. */
  players: PlayersView | null;
  ask(action: 'kick' | 'ban'): void;
}

/** Somebody who is online: onto the lists with one press, and away with a reason. */
export function OnlinePlayer({ who, players, ask }: Props) {
  const { t } = useMessages();
  const changing = useStore($changing);
  const isLocked = changing !== null || players?.way === null;
  return (
    <li>
      <b dir="ltr" translate="no">
        {who}
      </b>
      {players && (
        <span className="acts">
          {additions
            .filter(({ list }) => !isOn(players[list], who))
            .map(({ action }) => (
              <button
                key={action}
                className="btn quiet s"
                type="button"
                aria-label={t(`server_players.named_${action}`, { name: who })}
                aria-disabled={isLocked}
                aria-busy={changing?.action === action && changing.who === who}
                onClick={() => !isLocked && void changePlayers({ action, who })}
              >
                {t(`server_players.do_${action}`)}
              </button>
            ))}
          {(['kick', 'ban'] as const).map((action) => (
            <button
              key={action}
              className="btn quiet s"
              type="button"
              aria-label={t(`server_players.named_${action}`, { name: who })}
              onClick={() => ask(action)}
            >
              {t(`server_players.do_${action}`)}
            </button>
          ))}
        </span>
      )}
    </li>
  );
}

const isOn = ({ entries }: ListView, who: string): boolean => entries.some((one) => isSameName(one.who, who));
