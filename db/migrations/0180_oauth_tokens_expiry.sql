-- expired tokens are deleted every few minutes
create index oauth_tokens_expires on oauth_tokens (expires);
