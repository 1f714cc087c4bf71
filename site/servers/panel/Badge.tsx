import type { ServerView } from '#db/servers/view.ts';
import { Sign } from './Sign.tsx';
import { stateShown } from './state.ts';
import { useWords } from './Words.tsx';

/** The state of a server in one word. */
export function Badge({ server }: { server: ServerView }) {
  const { say } = useWords();
  const { tone, word, icon } = stateShown(server);
  return (
    <span className={tone === 'rest' ? 'badge' : `badge ${tone}`}>
      {icon === 'live' ? <span className="live" /> : <Sign name={icon} />}
      {say(word)}
    </span>
  );
}
