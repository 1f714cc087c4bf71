import {
  acceptInvitationForm,
  declineInvitationForm,
  readAllNotificationsForm,
  readNotificationsForm,
} from '../api/internal/notifications.ts';
import { acceptServerForm, declineServerForm } from '../api/internal/server-invitations.ts';
import { type FormState, formState } from '../forms/form-state.ts';

/** The forms of a list of notifications. */
export interface NotificationForms {
  reading: FormState;
  readingAll: FormState;
  accepting: FormState;
  declining: FormState;
  acceptingServer: FormState;
  decliningServer: FormState;
}

/** The forms of a list of notifications as they stand on a page. */
export const notificationForms = (page: Parameters<typeof formState>[0]): NotificationForms => ({
  reading: formState(page, readNotificationsForm),
  readingAll: formState(page, readAllNotificationsForm),
  accepting: formState(page, acceptInvitationForm),
  declining: formState(page, declineInvitationForm),
  acceptingServer: formState(page, acceptServerForm),
  decliningServer: formState(page, declineServerForm),
});
