import bookmark from 'lucide-static/icons/bookmark.svg?raw';
import { Drawing } from '../ui/Icon.tsx';

interface Props {
  /** The project. */
  id: string;
  /** What it does, with the name of the project. */
  label: string;
  className?: string;
}

/** Opens the chooser of the user's collections for a project; `scripts/save.ts` loads it on the first click. */
export const SaveButton = ({ id, label, className = 'btn quiet icon keep' }: Props) => (
  <button
    className={`${className} scripted`}
    type="button"
    aria-haspopup="dialog"
    aria-label={label}
    title={label}
    data-save={id}
  >
    <Drawing svg={bookmark} />
  </button>
);
