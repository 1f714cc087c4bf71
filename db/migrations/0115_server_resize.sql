-- rises with every new size that staff give a server: its agent says which it has acted on
alter table servers add column resize_seq integer not null default 0;
