import { nameRoutes } from '../../accounts/kept-names/name-forms.server.ts';
import { noticeRoutes } from '../../hosting/notices/notice-forms.server.ts';
import { attributionFormRoutes } from '../../moderation/attribution/attribution-forms.server.ts';
import { reviewFormRoutes } from '../../moderation/review/review-forms.server.ts';
import { staffAccountRoutes } from '../../moderation/staff/account-forms.server.ts';
import { staffNoticeRoutes } from '../../moderation/staff/notice-forms.server.ts';
import { staffPayoutRoutes } from '../../moderation/staff/payouts/payout-forms.server.ts';
import { takedownRoutes } from '../../moderation/takedowns/takedown-forms.server.ts';
import { technicalReviewFormRoutes } from '../../moderation/technical-review/technical-review-forms.server.ts';
import type { AppServices } from '../../platform/context.ts';
import type { Api } from '../../platform/route/types.ts';
import { adminRoutes } from './admin.ts';
import { analyticsEventRoutes } from './analytics-events.ts';
import { attributionRoutes } from './attribution.ts';
import { countDownloadRoute } from './count-download.ts';
import { externalFileRoutes } from './external-files.ts';
import { ledgerRoutes } from './ledger.ts';
import { reviewRoutes } from './review.ts';
import { scannerRoutes } from './scanner.ts';
import { technicalReviewRoutes } from './technical-review.ts';

/** What staff does: reviews, takedowns, accounts, notices, and the overview of the installation. */
export function staffRoutes(api: Api, services: AppServices): void {
  adminRoutes(api);
  countDownloadRoute(api);
  analyticsEventRoutes(api);
  reviewRoutes(api);
  reviewFormRoutes(api, services);
  takedownRoutes(api, services);
  ledgerRoutes(api);
  nameRoutes(api, services);
  technicalReviewRoutes(api);
  technicalReviewFormRoutes(api, services);
  scannerRoutes(api);
  externalFileRoutes(api);
  attributionRoutes(api);
  attributionFormRoutes(api, services);
  staffAccountRoutes(api, services);
  noticeRoutes(api, services);
  staffNoticeRoutes(api, services);
  staffPayoutRoutes(api, services);
}
