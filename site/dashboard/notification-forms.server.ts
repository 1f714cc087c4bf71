import {
  acceptInvitationForm,
  declineInvitationForm,
  readAllNotificationsForm,
  readNotificationsForm,
} from '../api/internal/notifications.ts';
import { type FormState, formState } from '../forms/form-state.ts';

/** The forms of a list of notifications. */
export interface NotificationForms {
  reading: FormState;
  readingAll: FormState;
  accepting: FormState;
  declining: FormState;
}

/** The forms of a list of notifications as they stand on a page. */
export const notificationForms = (page: Parameters<typeof formState>[0]): NotificationForms => ({
  reading: formState(page, readNotificationsForm),
  readingAll: formState(page, readAllNotificationsForm),
  accepting: formState(page, acceptInvitationForm),
  declining: formState(page, declineInvitationForm),
});
