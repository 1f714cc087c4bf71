import '../../download/scripts/download.ts';
import '../../ui/scripts/dialogs.ts';
import '../../invitation/scripts/invitation-card.ts';
import '../../ui/scripts/follow.ts';
import './license.ts';
import './member-tools.ts';
