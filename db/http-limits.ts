/**
 * Maximum size of request headers at the site, in bytes. Launchers send 800 ids in the URL of one GET. Source: stack
 * §3.
 */
export const max_head_bytes = 33 * 1024;

/** Maximum size of request headers at the control plane: the limit of the site plus the address its proxy adds. */
export const max_proxied_head_bytes = max_head_bytes + 1024;
