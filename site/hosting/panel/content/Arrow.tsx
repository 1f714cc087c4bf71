import right from 'lucide-static/icons/arrow-right.svg?raw';
import { Drawing } from '../../../platform/ui/Icon.tsx';

/** Between what was and what is now: in the direction that the language is read. */
export const Arrow = () => <Drawing svg={right} turns />;
