import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';

const methods = ['client_secret_basic', 'client_secret_post', 'none'];

/** What client libraries read before they send anybody here. Source: RFC 8414 §2. */
export const serverMetadata = (siteUrl: string) => ({
  issuer: siteUrl,
  authorization_endpoint: `${siteUrl}/auth/authorize`,
  token_endpoint: `${siteUrl}/v3/oauth/token`,
  revocation_endpoint: `${siteUrl}/v3/oauth/revoke`,
  scopes_supported: unrestrictedScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  token_endpoint_auth_methods_supported: methods,
  revocation_endpoint_auth_methods_supported: methods,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${siteUrl}/docs/creators/sign-in-with-cairn`,
});
