/*
 * A day's shares are written at once, a hundred thousand of them: in the order of their division they go to the end of each
 * index, and not to as many places of it.
 */
drop index revenue_shares_project;
drop index revenue_shares_user;
create unique index revenue_shares_project on revenue_shares (division_id, project_id, user_id);
create index revenue_shares_user on revenue_shares (division_id, user_id);
