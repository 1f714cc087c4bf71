const unset = 'null when the user has none; the document forgets to say so';
const payouts = 'the server has had other fields since (api-v2 §2.3)';
const pattern = 'a pattern of names, as 1.20.1-latest, and not a name (api-v2 §13)';
const statusChange = 'only in messages about a change of status (api-v2 §2.7)';

/** Where answers differ from the public document on purpose, with the reason. A difference that is gone fails its test. */
export const differences: Record<string, string> = {
  'Project.project_type: "project" is not in the enumeration': 'has no versions yet (api-v2 §1.7)',
  'ProjectResult.project_type: "project" is not in the enumeration': 'has no versions yet (api-v2 §1.7)',
  'User.avatar_url: null': unset,
  'User.bio: null': unset,
  'User.name: missing': 'GET /thread/{id} answers the shape of v3, kept from the server (api-v2 §2.7)',
  'UserPayoutData.payout_wallet: missing': payouts,
  'UserPayoutData.payout_wallet_type: missing': payouts,
  'UserPayoutData.payout_address: missing': payouts,
  'ForgeUpdateCheckerPromos.{version}-recommended: missing': pattern,
  'ForgeUpdateCheckerPromos.{version}-latest: missing': pattern,
  'ThreadMessageBody.old_status: missing': statusChange,
  'ThreadMessageBody.new_status: missing': statusChange,
};
