import { z } from 'zod';
import { defineForm } from '../../forms/form-definition.ts';

/** The forms for signing in, up and out. */

const text = z.string().max(1024);
const required = text.min(1);
const too_many = { text: 'account.too_many' } as const;

export const signInForm = defineForm({
  action: '/_internal/auth/sign-in',
  shape: z.object({ username: required, password: required }),
  fields: ['username', 'password'],
  errors: { invalid_credentials: 'password', rate_limited: too_many },
});

export const signUpForm = defineForm({
  action: '/_internal/auth/sign-up',
  shape: z.object({ username: text, email: text, password: text, confirm_password: text }),
  fields: ['username', 'email', 'password', 'confirm_password'],
  errors: {
    username_taken: 'username',
    username_malformed: 'username',
    email_taken: 'email',
    email_malformed: 'email',
    password_length: 'password',
    password_weak: 'password',
    passwords_differ: 'confirm_password',
    rate_limited: too_many,
  },
});

export const signOutForm = defineForm({
  action: '/_internal/auth/sign-out',
  shape: z.object({}),
  fields: [],
  errors: {},
});
