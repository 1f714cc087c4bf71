import type { ServerView } from '#db/servers/view.ts';
import { brokenWord } from './state.ts';
import { useWords } from './Words.tsx';

/** What went wrong while a server was made ready: in words, and as its node said it, for support. */
export function Broken({ server }: { server: ServerView }) {
  const { say } = useWords();
  const word = brokenWord(server);
  const { step, error } = server.lifecycle_data;
  return (
    <>
      {word && say(word)} <code dir="ltr">{[step, error].filter(Boolean).join(': ')}</code>
    </>
  );
}
