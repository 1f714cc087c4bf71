import { useStore } from '@nanostores/react';
import type { ServerView } from '#db/servers/view.ts';
import { Ago } from './Ago.tsx';
import { Broken } from './Broken.tsx';
import { $gone, $line, $refused } from './panel.store.ts';
import { Say } from './Say.tsx';
import { startsLater, stateShown, waitsForRestart } from './state.ts';
import { useWords } from './Words.tsx';

/** What is wrong, or what one waits for, in words: the line to the panel, the server, the last thing asked for. */
export function Troubles({ server }: { server: ServerView }) {
  const { say, refusal } = useWords();
  const line = useStore($line);
  const refused = useStore($refused);
  return (
    <div className="troubles" aria-live="polite">
      {line === 'lost' && (
        <Say tone="warn" title={say('servers.lost')}>
          {say('servers.lost_text')}
        </Say>
      )}
      {line === 'gone' && <Gone />}
      {line !== 'gone' && <StateWhy server={server} />}
      {refused && line === 'open' && (
        <Say tone="bad" title={say('servers.refused')}>
          {refusal(refused)}
        </Say>
      )}
    </div>
  );
}

function Gone() {
  const { say, link, refusal } = useWords();
  const gone = useStore($gone);
  if (!gone) return null;
  const isSignedOut = gone.error !== 'server_not_found' && gone.error !== 'scope_missing';
  const here = globalThis.location?.pathname ?? '/servers/manage';
  return (
    <Say
      tone="bad"
      title={say(isSignedOut ? 'servers.gone_signed_out' : 'servers.gone')}
      action={
        isSignedOut ? (
          <a className="btn" href={link(`/auth/sign-in?redirect=${encodeURIComponent(here)}`)}>
            {say('servers.sign_in')}
          </a>
        ) : (
          <a className="btn" href={link('/servers/manage')}>
            {say('servers.to_list')}
          </a>
        )
      }
    >
      {refusal(gone)}
    </Say>
  );
}

/** Whether it is mended, or left, where its payment is looked after. */
const asksForBilling = ({ lifecycle_data: { reason = '' } }: ServerView): boolean =>
  ['cancelled', 'trial_ended', 'payment_failed', 'out_of_stock'].includes(reason);

/** Why the server is not simply running or stopped. */
function StateWhy({ server }: { server: ServerView }) {
  const { say, link } = useWords();
  const { tone, word, why } = stateShown(server);
  if (waitsForRestart(server))
    return (
      <Say tone="note" title={say('servers.resized')}>
        {say('servers.resized_text')}
      </Say>
    );
  if (!why) return null;
  return (
    <Say
      tone={tone === 'rest' ? 'note' : tone}
      title={say(word)}
      action={
        asksForBilling(server) && (
          <a className="btn" href={link(`/servers/manage/${server.id}/options/billing`)}>
            {say('servers.billing')}
          </a>
        )
      }
    >
      {say(why)} {startsLater(server) && say('servers.why_starts_later')}
      {server.lifecycle === 'broken' && <Broken server={server} />}
      {server.state === 'unknown' && server.last_seen && <Ago since={server.last_seen} />}
    </Say>
  );
}
