import bottom from 'lucide-static/icons/arrow-down-to-line.svg?raw';
import barred from 'lucide-static/icons/ban.svg?raw';
import done from 'lucide-static/icons/check.svg?raw';
import next from 'lucide-static/icons/chevron-down.svg?raw';
import command from 'lucide-static/icons/chevron-right.svg?raw';
import previous from 'lucide-static/icons/chevron-up.svg?raw';
import up from 'lucide-static/icons/chevrons-up.svg?raw';
import ahead from 'lucide-static/icons/circle.svg?raw';
import dashed from 'lucide-static/icons/circle-dashed.svg?raw';
import current from 'lucide-static/icons/circle-dot.svg?raw';
import copy from 'lucide-static/icons/copy.svg?raw';
import pay from 'lucide-static/icons/credit-card.svg?raw';
import more from 'lucide-static/icons/ellipsis.svg?raw';
import version from 'lucide-static/icons/gamepad-2.svg?raw';
import address from 'lucide-static/icons/globe.svg?raw';
import older from 'lucide-static/icons/history.svg?raw';
import info from 'lucide-static/icons/info.svg?raw';
import loader from 'lucide-static/icons/layers.svg?raw';
import wait from 'lucide-static/icons/loader.svg?raw';
import full from 'lucide-static/icons/maximize-2.svg?raw';
import survey from 'lucide-static/icons/message-circle-question-mark.svg?raw';
import small from 'lucide-static/icons/minimize-2.svg?raw';
import critical from 'lucide-static/icons/octagon-alert.svg?raw';
import rename from 'lucide-static/icons/pencil.svg?raw';
import start from 'lucide-static/icons/play.svg?raw';
import add from 'lucide-static/icons/plus.svg?raw';
import restart from 'lucide-static/icons/rotate-cw.svg?raw';
import search from 'lucide-static/icons/search.svg?raw';
import kill from 'lucide-static/icons/skull.svg?raw';
import stop from 'lucide-static/icons/square.svg?raw';
import view from 'lucide-static/icons/text-search.svg?raw';
import uptime from 'lucide-static/icons/timer.svg?raw';
import remove from 'lucide-static/icons/trash-2.svg?raw';
import warn from 'lucide-static/icons/triangle-alert.svg?raw';
import away from 'lucide-static/icons/unplug.svg?raw';
import close from 'lucide-static/icons/x.svg?raw';
import crash from 'lucide-static/icons/zap.svg?raw';
import { Drawing } from '../../platform/ui/Icon.tsx';

const drawings = {
  ...{
    add,
    address,
    ahead,
    away,
    barred,
    bottom,
    close,
    command,
    copy,
    crash,
    critical,
    current,
    dashed,
    done,
    full,
    info,
    kill,
    loader,
  },
  ...{
    more,
    next,
    older,
    pay,
    previous,
    remove,
    rename,
    rest: stop,
    restart,
    search,
    small,
    start,
    stop,
    survey,
    up,
  },
  ...{ uptime, version, view, wait, warn },
};

/** The icons of the panel and the list. */
export const Icon = ({ name }: { name: keyof typeof drawings }) => <Drawing svg={drawings[name]} />;
