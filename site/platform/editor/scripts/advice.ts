import type { MessageKey } from '#content/keys.ts';
import { descriptionPoints } from '#db/catalogue/checklist/rules.ts';
import type { MessageReader } from '../../text/message-reader.ts';

/** Lists in `place` what reviewers will say about the description `text`. */
export function showAdvice(place: HTMLElement, text: string, { t }: Pick<MessageReader, 't'>): void {
  const said = descriptionPoints(text).map(({ rule, level }) => ({
    level,
    text: t(`checklist.point_${rule.slice('checklist_'.length)}` as MessageKey),
  }));
  const shown = [...place.children].map(({ textContent }) => textContent).join();
  if (shown === said.map((one) => one.text).join()) return;
  place.replaceChildren(
    ...said.map((one) => {
      const line = document.createElement('li');
      line.className = `hint ${one.level === 'required' ? 'bad' : 'warn'}`;
      line.textContent = one.text;
      return line;
    }),
  );
}
