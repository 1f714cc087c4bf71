import '../../download/scripts/download.ts';
import '../../../platform/ui/scripts/dialogs.ts';
import '../../invitation/scripts/invitation-card.ts';
import '../../../platform/ui/scripts/follow.ts';
import './license.ts';
import './member-tools.ts';
