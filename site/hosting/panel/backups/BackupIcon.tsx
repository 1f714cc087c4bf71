import kept from 'lucide-static/icons/archive.svg?raw';
import plan from 'lucide-static/icons/calendar-clock.svg?raw';
import failed from 'lucide-static/icons/circle-alert.svg?raw';
import stopped from 'lucide-static/icons/circle-x.svg?raw';
import queued from 'lucide-static/icons/clock.svg?raw';
import download from 'lucide-static/icons/download.svg?raw';
import same from 'lucide-static/icons/equal.svg?raw';
import working from 'lucide-static/icons/loader.svg?raw';
import locked from 'lucide-static/icons/lock.svg?raw';
import unlocked from 'lucide-static/icons/lock-open.svg?raw';
import opened from 'lucide-static/icons/package-open.svg?raw';
import automated from 'lucide-static/icons/repeat.svg?raw';
import damaged from 'lucide-static/icons/shield-alert.svg?raw';
import verified from 'lucide-static/icons/shield-check.svg?raw';
import checking from 'lucide-static/icons/shield-ellipsis.svg?raw';
import { Drawing } from '../../../platform/ui/Icon.tsx';

const drawings = {
  ...{ automated, checking, damaged, download, failed, kept, locked, opened },
  ...{ plan, queued, same, stopped, unlocked, verified, working },
};

/** The icons that only backups have. */
export const BackupIcon = ({ name }: { name: keyof typeof drawings }) => <Drawing svg={drawings[name]} />;
