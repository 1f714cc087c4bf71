import { describe, expect, it } from 'vitest';
import type { User } from '#db/platform/people/shape.ts';
import { userV3Of, userV3Shape } from './user-shape.ts';

const user: User = {
  id: 'AABBCCDD',
  username: 'mirelle',
  name: null,
  avatar_url: null,
  bio: null,
  created: '2026-01-01T00:00:00Z',
  role: 'developer',
  badges: 0,
  auth_providers: null,
  email: null,
  email_verified: null,
  has_password: null,
  has_totp: null,
  payout_data: null,
  github_id: null,
};

describe('a user in v3', () => {
  it('has exactly the fields of the reference', () => {
    expect(Object.keys(userV3Shape.strict().parse(userV3Of(user))).sort()).toEqual(
      [
        ...[
          'id',
          'username',
          'avatar_url',
          'bio',
          'created',
          'role',
          'badges',
          'campaigns',
          'auth_providers',
        ],
        ...['email', 'email_verified', 'has_password', 'has_totp', 'payout_data', 'stripe_customer_id'],
        ...['allow_friend_requests', 'eligibility_verified_at', 'github_id'],
      ].sort(),
    );
  });

  it('has notes for moderators only, null when there are none', () => {
    expect(userV3Of(user)).not.toHaveProperty('moderation_notes');
    expect(userV3Of(user, { moderation_notes: null })).toHaveProperty('moderation_notes', null);
  });
});
