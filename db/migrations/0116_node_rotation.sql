-- how far the exchange of its agent's secret has come; nodes of which none was asked for have none
alter table nodes add column rotation text check (rotation in ('asked', 'told', 'kept', 'unanswered'));
-- whoever speaks for the node is told when one is asked for
create trigger node_rotation_told after update of rotation on nodes
  for each row when (new.rotation = 'asked') execute function hosting_notify();
