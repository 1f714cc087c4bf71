import { acceptServerForm, declineServerForm } from '../../hosting/list/invitation-forms.server.ts';
import { type FormState, formState } from '../../platform/forms/form-state.ts';
import {
  acceptInvitationForm,
  declineInvitationForm,
  readAllNotificationsForm,
  readNotificationsForm,
} from './notification-actions.server.ts';

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
