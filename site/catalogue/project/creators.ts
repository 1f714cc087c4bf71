interface Creator {
  is_owner: boolean;
  ordering: number;
  role: string;
  user: { username: string };
}

/** The members of a team in display order: the owner first, then by team order, role and name. Source: screens §A.4. */
export const inOrder = <C extends Creator>(members: readonly C[]): C[] =>
  [...members].sort(
    (a, b) =>
      Number(b.is_owner) - Number(a.is_owner) ||
      a.ordering - b.ordering ||
      a.role.localeCompare(b.role, 'en') ||
      a.user.username.localeCompare(b.user.username, 'en'),
  );
