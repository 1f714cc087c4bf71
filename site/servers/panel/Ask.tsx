import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { $unasked, stopAsking } from './asking.store.ts';
import { Sign } from './Sign.tsx';
import { useWords } from './Words.tsx';

/** Something to be sure of before it is done. */
export interface Question {
  title: string;
  text: string;
  action: string;
  /** Under which it is remembered that one does not want to be asked; asked always without. */
  kept?: string;
  /** What must be typed first. */
  typed?: { label: string; text: string };
  act(): void;
}

/** Asks, unless one does not want to be asked. Give `ask` to what opens it and show `dialog` anywhere. */
export function useAsking(): { ask(question: Question): void; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null);
  const unasked = useStore($unasked);
  return {
    ask: (asked) => (asked.kept && unasked.includes(asked.kept) ? asked.act() : setQuestion(asked)),
    dialog: question && <Ask question={question} done={() => setQuestion(null)} />,
  };
}

function Ask({ question, done }: { question: Question; done(): void }) {
  const { say } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isLast, setLast] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const isReady = !question.typed || typed.trim() === question.typed.text;
  const act = () => {
    if (!isReady) return;
    if (isLast && question.kept) stopAsking(question.kept);
    dialog.current?.close();
    question.act();
  };
  return (
    <dialog ref={dialog} onClose={done} aria-labelledby={id} aria-describedby={`${id}-text`} data-dialog>
      <header>
        <h2 id={id}>{question.title}</h2>
        <button className="btn quiet s icon" type="button" aria-label={say('servers.close')} data-closes>
          <Sign name="close" />
        </button>
      </header>
      <div className="stack">
        <p id={`${id}-text`} className="dim">
          {question.text}
        </p>
        {question.typed && (
          <label className="field">
            <span className="label">{question.typed.label}</span>
            <input
              className="in"
              dir="auto"
              value={typed}
              autoComplete="off"
              placeholder={question.typed.text}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && act()}
            />
          </label>
        )}
        {question.kept && (
          <label className="check">
            <input type="checkbox" checked={isLast} onChange={(event) => setLast(event.target.checked)} />
            {say('servers.no_asking')}
          </label>
        )}
      </div>
      <footer>
        <button className="btn" type="button" data-closes>
          {say('servers.cancel')}
        </button>
        <button className="btn danger" type="button" aria-disabled={!isReady} onClick={act}>
          {question.action}
        </button>
      </footer>
    </dialog>
  );
}
