-- which address got which article, each once; of the address a hash that only this installation can make
create table newsletter_mails (
  article text not null,
  address_hash text not null,
  queued timestamptz not null,
  primary key (article, address_hash)
);

-- thousands of newsletters wait without holding up a mail about an account
drop index mails_due;
create index mails_due on mails ((template = 'newsletter'), due) where state = 'waiting';
