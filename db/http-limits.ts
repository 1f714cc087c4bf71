/** Most bytes of a request's head at the site: launchers send 800 ids in one GET. Source: stack §3. */
export const max_head_bytes = 33 * 1024;

/** Most bytes of a head at the control plane: what the site accepts, and the address that its proxy adds. */
export const max_proxied_head_bytes = max_head_bytes + 1024;
