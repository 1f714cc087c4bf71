-- since when its provider knows nothing of a payout that it took; null while it knows it
alter table payouts add column gone_since timestamptz;
