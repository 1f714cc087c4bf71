-- The port that a server had before something else on its node used it: it gets it back when it is free.
alter table servers add column former_port integer;
alter table servers add column former_port_node id references nodes on delete set null;
