import type { RefusalCode } from '#db/platform/errors.ts';
import type account from './locales/en-US/account.json';
import type accountData from './locales/en-US/account_data.json';
import type ads from './locales/en-US/ads.json';
import type analytics from './locales/en-US/analytics.json';
import type apiReference from './locales/en-US/api_reference.json';
import type app from './locales/en-US/app.json';
import type applications from './locales/en-US/applications.json';
import type attribution from './locales/en-US/attribution.json';
import type authorize from './locales/en-US/authorize.json';
import type backup from './locales/en-US/backup.json';
import type billing from './locales/en-US/billing.json';
import type buying from './locales/en-US/buying.json';
import type changelog from './locales/en-US/changelog.json';
import type checklist from './locales/en-US/checklist.json';
import type collection from './locales/en-US/collection.json';
import type crashHelp from './locales/en-US/crash_help.json';
import type create from './locales/en-US/create.json';
import type dashboard from './locales/en-US/dashboard.json';
import type disclosures from './locales/en-US/disclosures.json';
import type docs from './locales/en-US/docs.json';
import type download from './locales/en-US/download.json';
import type editor from './locales/en-US/editor.json';
import type email from './locales/en-US/email.json';
import type events from './locales/en-US/events.json';
import type feeds from './locales/en-US/feeds.json';
import type flags from './locales/en-US/flags.json';
import type form from './locales/en-US/form.json';
import type format from './locales/en-US/format.json';
import type frog from './locales/en-US/frog.json';
import type gallery from './locales/en-US/gallery.json';
import type home from './locales/en-US/home.json';
import type hostingAdmin from './locales/en-US/hosting_admin.json';
import type kinds from './locales/en-US/kinds.json';
import type ledger from './locales/en-US/ledger.json';
import type legal from './locales/en-US/legal.json';
import type loader from './locales/en-US/loader.json';
import type mail from './locales/en-US/mail.json';
import type names from './locales/en-US/names.json';
import type news from './locales/en-US/news.json';
import type nodes from './locales/en-US/nodes.json';
import type notifications from './locales/en-US/notifications.json';
import type notify from './locales/en-US/notify.json';
import type organization from './locales/en-US/organization.json';
import type organizationSettings from './locales/en-US/organization_settings.json';
import type ownProjects from './locales/en-US/own_projects.json';
import type packContents from './locales/en-US/pack_contents.json';
import type packaging from './locales/en-US/packaging.json';
import type pager from './locales/en-US/pager.json';
import type payouts from './locales/en-US/payouts.json';
import type pins from './locales/en-US/pins.json';
import type plus from './locales/en-US/plus.json';
import type problem from './locales/en-US/problem.json';
import type profile from './locales/en-US/profile.json';
import type profileSettings from './locales/en-US/profile_settings.json';
import type project from './locales/en-US/project.json';
import type projectAnalytics from './locales/en-US/project_analytics.json';
import type projectSettings from './locales/en-US/project_settings.json';
import type providers from './locales/en-US/providers.json';
import type publish from './locales/en-US/publish.json';
import type replies from './locales/en-US/replies.json';
import type reports from './locales/en-US/reports.json';
import type results from './locales/en-US/results.json';
import type revenue from './locales/en-US/revenue.json';
import type review from './locales/en-US/review.json';
import type reviewChecklist from './locales/en-US/review_checklist.json';
import type schedule from './locales/en-US/schedule.json';
import type scopes from './locales/en-US/scopes.json';
import type search from './locales/en-US/search.json';
import type securityLog from './locales/en-US/security_log.json';
import type serverAccess from './locales/en-US/server_access.json';
import type serverActivity from './locales/en-US/server_activity.json';
import type serverAlerts from './locales/en-US/server_alerts.json';
import type serverContent from './locales/en-US/server_content.json';
import type serverFigures from './locales/en-US/server_figures.json';
import type serverFiles from './locales/en-US/server_files.json';
import type serverGeneral from './locales/en-US/server_general.json';
import type serverInfo from './locales/en-US/server_info.json';
import type serverNetwork from './locales/en-US/server_network.json';
import type serverOptions from './locales/en-US/server_options.json';
import type serverPlayers from './locales/en-US/server_players.json';
import type serverPreferences from './locales/en-US/server_preferences.json';
import type servers from './locales/en-US/servers.json';
import type settings from './locales/en-US/settings.json';
import type shell from './locales/en-US/shell.json';
import type signIn from './locales/en-US/sign_in.json';
import type staff from './locales/en-US/staff.json';
import type staffBilling from './locales/en-US/staff_billing.json';
import type staffNotices from './locales/en-US/staff_notices.json';
import type staffPayouts from './locales/en-US/staff_payouts.json';
import type staffServers from './locales/en-US/staff_servers.json';
import type staticPages from './locales/en-US/static.json';
import type statisticsTexts from './locales/en-US/statistics.json';
import type suggest from './locales/en-US/suggest.json';
import type tags from './locales/en-US/tags.json';
import type takedowns from './locales/en-US/takedowns.json';
import type team from './locales/en-US/team.json';
import type technicalReview from './locales/en-US/technical_review.json';
import type threads from './locales/en-US/threads.json';
import type tokens from './locales/en-US/tokens.json';
import type ui from './locales/en-US/ui.json';
import type user from './locales/en-US/user.json';
import type version from './locales/en-US/version.json';
import type versionDetails from './locales/en-US/version_details.json';
import type webhooks from './locales/en-US/webhooks.json';

type Keys<File> = Extract<keyof File, `${string}.${string}`>;

export type MessageKey =
  | Keys<typeof crashHelp>
  | Keys<typeof create>
  | Keys<typeof dashboard>
  | Keys<typeof disclosures>
  | Keys<typeof docs>
  | Keys<typeof download>
  | Keys<typeof editor>
  | Keys<typeof email>
  | Keys<typeof events>
  | Keys<typeof feeds>
  | Keys<typeof flags>
  | Keys<typeof form>
  | Keys<typeof format>
  | Keys<typeof ads>
  | Keys<typeof analytics>
  | Keys<typeof apiReference>
  | Keys<typeof app>
  | Keys<typeof frog>
  | Keys<typeof gallery>
  | Keys<typeof home>
  | Keys<typeof account>
  | Keys<typeof accountData>
  | Keys<typeof hostingAdmin>
  | Keys<typeof kinds>
  | Keys<typeof ledger>
  | Keys<typeof legal>
  | Keys<typeof loader>
  | Keys<typeof mail>
  | Keys<typeof names>
  | Keys<typeof news>
  | Keys<typeof nodes>
  | Keys<typeof notifications>
  | Keys<typeof notify>
  | Keys<typeof organization>
  | Keys<typeof organizationSettings>
  | Keys<typeof ownProjects>
  | Keys<typeof packContents>
  | Keys<typeof packaging>
  | Keys<typeof pager>
  | Keys<typeof payouts>
  | Keys<typeof pins>
  | Keys<typeof plus>
  | Keys<typeof problem>
  | Keys<typeof profile>
  | Keys<typeof projectSettings>
  | Keys<typeof review>
  | Keys<typeof reviewChecklist>
  | Keys<typeof shell>
  | Keys<typeof signIn>
  | Keys<typeof staff>
  | Keys<typeof staffBilling>
  | Keys<typeof staffNotices>
  | Keys<typeof staffPayouts>
  | Keys<typeof staffServers>
  | Keys<typeof statisticsTexts>
  | Keys<typeof technicalReview>
  | Keys<typeof staticPages>
  | Keys<typeof backup>
  | Keys<typeof billing>
  | Keys<typeof buying>
  | Keys<typeof changelog>
  | Keys<typeof checklist>
  | Keys<typeof collection>
  | Keys<typeof project>
  | Keys<typeof projectAnalytics>
  | Keys<typeof providers>
  | Keys<typeof publish>
  | Keys<typeof replies>
  | Keys<typeof reports>
  | Keys<typeof results>
  | Keys<typeof revenue>
  | Keys<typeof schedule>
  | Keys<typeof scopes>
  | Keys<typeof attribution>
  | Keys<typeof applications>
  | Keys<typeof authorize>
  | Keys<typeof profileSettings>
  | Keys<typeof team>
  | Keys<typeof threads>
  | Keys<typeof tokens>
  | Keys<typeof search>
  | Keys<typeof serverFiles>
  | Keys<typeof serverAccess>
  | Keys<typeof serverActivity>
  | Keys<typeof serverContent>
  | Keys<typeof serverGeneral>
  | Keys<typeof serverInfo>
  | Keys<typeof serverPreferences>
  | Keys<typeof serverNetwork>
  | Keys<typeof serverAlerts>
  | Keys<typeof securityLog>
  | Keys<typeof serverFigures>
  | Keys<typeof serverOptions>
  | Keys<typeof serverPlayers>
  | Keys<typeof servers>
  | Keys<typeof settings>
  | Keys<typeof suggest>
  | Keys<typeof ui>
  | Keys<typeof user>
  | Keys<typeof version>
  | Keys<typeof versionDetails>
  | Keys<typeof webhooks>
  | Keys<typeof tags>
  | Keys<typeof takedowns>
  | `error.${RefusalCode}`;
