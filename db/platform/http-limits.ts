/**
 * Maximum size of request headers at the site, in bytes. Launchers send 800 ids in the URL of one GET. Source: stack
 * §3.
 */
export const max_head_bytes = 33 * 1024;

/** Maximum size of request headers at the control plane: the limit of the site plus the address its proxy adds. */
export const max_proxied_head_bytes = max_head_bytes + 1024;

/**
 * Most bytes of one request of an upload to a game server: clients send a large file in pieces of at most this size. Source:
 * hosting §1e.
 */
export const max_upload_request_bytes = 64 * 1024 * 1024;
