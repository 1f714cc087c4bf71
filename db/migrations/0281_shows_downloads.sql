-- Whether the page of a project shows its downloads of the last 30 days. Sums by day are otherwise for members with a right of
-- their own, so that nobody's are shown until somebody with that right wants it.
alter table projects add column shows_downloads boolean not null default false;

create or replace function projects_revise() returns trigger language plpgsql as $$
declare
  changed text[] := array_remove(array[
    case when new.title is distinct from old.title then 'title' end,
    case when new.description is distinct from old.description then 'description' end,
    case when new.body is distinct from old.body then 'body' end,
    case when new.slug is distinct from old.slug then 'slug' end,
    case when new.status is distinct from old.status then 'status' end,
    case when new.requested_status is distinct from old.requested_status then 'requested_status' end,
    case when new.archived is distinct from old.archived then 'archived' end,
    case when new.monetization_status is distinct from old.monetization_status then 'monetization_status' end,
    case when new.license_id is distinct from old.license_id then 'license_id' end,
    case when new.license_url is distinct from old.license_url then 'license_url' end,
    case when new.categories is distinct from old.categories then 'categories' end,
    case when new.additional_categories is distinct from old.additional_categories then 'additional_categories' end,
    case when new.environments is distinct from old.environments then 'environments' end,
    case when new.icon_key is distinct from old.icon_key then 'icon_key' end,
    case when new.issues_url is distinct from old.issues_url then 'issues_url' end,
    case when new.source_url is distinct from old.source_url then 'source_url' end,
    case when new.wiki_url is distinct from old.wiki_url then 'wiki_url' end,
    case when new.discord_url is distinct from old.discord_url then 'discord_url' end,
    case when new.site_url is distinct from old.site_url then 'site_url' end,
    case when new.store_url is distinct from old.store_url then 'store_url' end,
    case when new.donation_urls is distinct from old.donation_urls then 'donation_urls' end,
    case when new.shows_downloads is distinct from old.shows_downloads then 'shows_downloads' end
  ], null);
begin
  if changed = '{}' then
    return new;
  end if;
  new.revision := old.revision + 1;
  new.field_revisions := old.field_revisions
    || (select jsonb_object_agg(name, new.revision) from unnest(changed) as name);
  if new.environments is distinct from old.environments then
    new.environment_verified := null;
    new.environment_verified_by := null;
  end if;
  return new;
end $$;
drop trigger projects_revise on projects;
-- `of`: the counters of downloads and followers do not even ask
create trigger projects_revise before update of title, description, body, slug, status, requested_status, archived,
  monetization_status, license_id, license_url, categories, additional_categories, environments, icon_key, issues_url,
  source_url, wiki_url, discord_url, site_url, store_url, donation_urls, shows_downloads
  on projects for each row execute function projects_revise();
