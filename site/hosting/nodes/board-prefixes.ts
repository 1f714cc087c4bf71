/** What every staff page of hosting says: its dialogs, and why a rule does not allow something now. */
const shared = [
  ...['servers.close', 'servers.cancel', 'servers.copied', 'servers.copy_value', 'servers.more_of'],
  ...['nodes.lost', 'nodes.failed', 'error.server_', 'error.node_', 'error.move_'],
] as const;

/** What the board of nodes says. */
export const boardPrefixes = [
  ...shared,
  'nodes.',
  'buying.region_',
  'servers.seen_ago',
  'servers.warned_ago',
  'servers.no_asking',
] as const;

/** What the lists of servers, moves and DNS records say. */
export const staffServersPrefixes = [
  ...[...shared, 'staff_servers.', 'error.backups_on_node', 'error.no_other_node'],
  ...['servers.state_', 'servers.suspended_', 'servers.plan_', 'servers.why_', 'servers.broken_'],
] as const;
