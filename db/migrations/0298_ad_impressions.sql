-- how often ads were shown, by day in UTC: nothing about who saw them
create table ad_impressions (
  day date not null,
  ad_id text not null,
  impressions bigint not null check (impressions > 0),
  primary key (day, ad_id)
);
