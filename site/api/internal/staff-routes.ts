import type { AppServices } from '../../context.ts';
import type { Api } from '../route/types.ts';
import { adminRoutes } from './admin.ts';
import { analyticsEventRoutes } from './analytics-events.ts';
import { attributionRoutes } from './attribution.ts';
import { attributionFormRoutes } from './attribution-forms.ts';
import { countDownloadRoute } from './count-download.ts';
import { externalFileRoutes } from './external-files.ts';
import { ledgerRoutes } from './ledger.ts';
import { nameRoutes } from './names.ts';
import { noticeRoutes } from './notices.ts';
import { reviewRoutes } from './review.ts';
import { reviewFormRoutes } from './review-forms.ts';
import { scannerRoutes } from './scanner.ts';
import { staffAccountRoutes } from './staff-accounts.ts';
import { staffNoticeRoutes } from './staff-notices.ts';
import { staffPayoutRoutes } from './staff-payouts.ts';
import { takedownRoutes } from './takedowns.ts';
import { technicalReviewRoutes } from './technical-review.ts';
import { technicalReviewFormRoutes } from './technical-review-forms.ts';

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
