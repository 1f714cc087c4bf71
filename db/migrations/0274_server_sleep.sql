-- a server may stop while nobody plays and start when somebody joins
alter table servers
  -- minutes without a player; null: it never sleeps
  add column sleep_after_minutes integer check (sleep_after_minutes between 5 and 240),
  -- what pings show meanwhile; empty is the text of the agent
  add column sleep_motd text not null default '' check (char_length(sleep_motd) <= 201);
