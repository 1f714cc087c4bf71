/** Where the button that mails a link of verification again is sent. Apart from its form: every page has it, none needs the API. */
export const resend_path = '/_internal/account/email/resend';
