import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fastFolder } from './test/temporary-folder.ts';

/**
 * Races, processes, faults, browsers, the public pages and feeds, random histories, and tests of every operation for
 * every viewer or of every pair of filters; the rest, rules and interface, is quick. They start in this order, the
 * longest first, so that none is left to one worker at the end.
 */
export const SLOW = [
  'test/moving.test.ts',
  'test/moving-files.test.ts',
  'test/moving-undo.test.ts',
  'src/moving/runs/runs.test.ts',
  'src/moving/runs/uploads.test.ts',
  'src/moving/runs/limits.test.ts',
  'test/import-processes.test.ts',
  'test/moving-mysql.test.ts',
  'test/faults/faults.test.ts',
  'test/storage-faults.test.ts',
  'test/replaced-files.test.ts',
  'test/races.test.ts',
  'test/door-races.test.ts',
  'test/door-attacks.test.ts',
  'test/job-processes.test.ts',
  'test/mail-processes.test.ts',
  'test/mails.test.ts',
  'test/account-mails.test.ts',
  'test/mail-bounces.test.ts',
  'test/staff-alerts.test.ts',
  'test/announcements.test.ts',
  'test/mail-texts.test.ts',
  'test/mail-attacks.test.ts',
  'test/holder-mails.test.ts',
  'src/lib/images/image-renditions.test.ts',
  'src/lib/paper/paper.test.ts',
  'test/paper-tickets.test.ts',
  'test/my-tickets.test.ts',
  'test/wallets.test.ts',
  'test/shutdown.test.ts',
  'test/rights.test.ts',
  'test/canaries.test.ts',
  'test/response-cache-histories.test.ts',
  'test/contract.test.ts',
  'test/list-filters.test.ts',
  'test/response-cache.test.ts',
  'test/clients-posted-again.test.ts',
  'test/copies.test.ts',
  'test/response-cache-visitors.test.ts',
  'test/bench-generator.test.ts',
  'src/calendar/events/lists/list-query.test.ts',
  'src/calendar/library/merges.test.ts',
  'test/coercions.test.ts',
  'src/platform/jobs/large-queue.test.ts',
  'src/jobs/runner.test.ts',
  'src/calendar/events/series/series-days.test.ts',
  'src/calendar/events/series/series-work.test.ts',
  'src/calendar/events/series/series-rights.test.ts',
  'src/calendar/events/series/scope.test.ts',
  'src/ticketing/payments/payment-histories.test.ts',
  'src/ticketing/payments/payment-edges.test.ts',
  'src/ticketing/payments/payments.test.ts',
  'src/ticketing/payments/refund-event.test.ts',
  'src/ticketing/payments/money-edges.test.ts',
  'src/ticketing/invoices/invoices.test.ts',
  'src/ticketing/invoices/invoice-taxes.test.ts',
  'src/ticketing/books/reconcile.test.ts',
  'src/ticketing/tickets/hidden-tickets.test.ts',
  'src/ticketing/reports/reports.test.ts',
  'src/platform/audit/audit.test.ts',
  'test/revisions.test.ts',
  'test/pay-pages.test.ts',
  'src/web/feeds/heavy-reads.test.ts',
  'test/gateways/stripe.test.ts',
  'src/calendar/events/endpoints/series.test.ts',
  'src/ticketing/orders/passes/passes.test.ts',
  'src/ticketing/orders/passes/changed-dates.test.ts',
  'src/ticketing/orders/passes/pass-rights.test.ts',
  'src/ticketing/tickets/follow-series.test.ts',
  'test/faces/console/post-acts.test.ts',
  'test/faces/paying.test.ts',
  'test/response-keys.test.ts',
  'src/ticketing/seats/seats.test.ts',
  'test/audit-walk.test.ts',
  'test/process.test.ts',
  'test/loaded-modules.test.ts',
  'test/idempotency-processes.test.ts',
  'test/hostile-text.test.ts',
  'src/server/cli/demo.test.ts',
  'src/demo/examples.test.ts',
  'src/server/cli/first-language.test.ts',
  'src/http/connection/server.test.ts',
  'src/http/connection/request-queue.test.ts',
  'src/base/log.test.ts',
  'src/lib/images/text-image.test.ts',
  'test/feed-times.test.ts',
  'test/feeds-hostile.test.ts',
  'src/db/migrate.test.ts',
  'src/db/sqlite.test.ts',
  'src/calendar/events/races.test.ts',
  'src/platform/media/races.test.ts',
  'test/responses.test.ts',
  'test/record-addresses.test.ts',
  'test/bench.test.ts',
  'test/client-package.test.ts',
  'test/explain.test.ts',
  'test/faces/audit.test.ts',
  'test/faces/console/budgets.test.ts',
  'test/faces/door/erasing.test.ts',
  'test/faces/door/crowds.test.ts',
  'test/faces/door/screens.test.ts',
  'test/faces/door/keyboard.test.ts',
  'test/faces/door/cameras.test.ts',
  'test/faces/door/offline.test.ts',
  'test/faces/door/box-office.test.ts',
  'test/faces/door/versions.test.ts',
  'test/faces/door/scanning.test.ts',
  'test/faces/console/door.test.ts',
  'test/faces/console/announcements.test.ts',
  'test/faces/console/notices.test.ts',
  'test/faces/console/organizing.test.ts',
  'test/faces/console/repeat.test.ts',
  'test/series-walk.test.ts',
  'test/faces/console/series.test.ts',
  'test/faces/console/passes.test.ts',
  'test/faces/console/jobs.test.ts',
  'test/faces/console/mails.test.ts',
  'test/faces/console/guest-list.test.ts',
  'test/faces/console/overview.test.ts',
  'test/faces/console/frame.test.ts',
  'test/faces/console/records.test.ts',
  'test/faces/console/orders.test.ts',
  'test/faces/console/imports.test.ts',
  'test/faces/console/compare.test.ts',
  'test/faces/console/accounts.test.ts',
  'test/faces/console/people.test.ts',
  'test/faces/console/translations.test.ts',
  'test/faces/console/media.test.ts',
  'test/faces/console/roles.test.ts',
  'test/faces/console/events.test.ts',
  'test/faces/console/terms.test.ts',
  'test/faces/console/linked.test.ts',
  'test/faces/console/lists.test.ts',
  'test/faces/console/long-texts.test.ts',
  'test/faces/console/settings.test.ts',
  'test/faces/console/site-choices.test.ts',
  'test/faces/console/editor.test.ts',
  'test/faces/console/markup.test.ts',
  'test/faces/console/first-run.test.ts',
  'test/faces/embeds.test.ts',
  'test/faces/event-states.test.ts',
  'test/faces/find-events.test.ts',
  'test/faces/languages.test.ts',
  'test/faults/aftermath.test.ts',
  'test/faces/maps.test.ts',
  'test/faces/print.test.ts',
  'test/faces/month-and-week.test.ts',
  'test/faces/first-screen.test.ts',
  'test/faces/hostile-names.test.ts',
  'test/fuzz.test.ts',
  'test/limits-processes.test.ts',
  'test/overload.test.ts',
  'test/faces/buying.test.ts',
  'test/pages-attacks.test.ts',
  'test/pages-forged.test.ts',
  'test/pages.test.ts',
  'test/postgres-outage.test.ts',
  'test/stock-history.test.ts',
  'test/visitors.test.ts',
  'test/terminal.test.ts',
  'test/workers.test.ts',
  'test/calendar-views.test.ts',
  'test/feed-pages.test.ts',
  'test/online-events.test.ts',
  'test/structured-data.test.ts',
  'test/buying-pages.test.ts',
  'test/ticket-pages.test.ts',
  'test/buying-forms.test.ts',
  'test/markup.test.ts',
  'test/faces/old-addresses.test.ts',
  'test/event-pages.test.ts',
  'test/public-pages.test.ts',
  'test/site-pages.test.ts',
  'test/found-pages.test.ts',
  'src/web/feeds/feeds.test.ts',
];

/** Slow tests first, and lane by lane: Vitest ends a worker, with all its modules, before a file of another lane. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name !== 'slow') return SLOW.length + (project.name === 'quick' ? 1 : 2);
      const place = SLOW.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place >= 0 ? place : SLOW.length;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Options of all lanes. */
export const common = {
  setupFiles: 'test/properties.ts',
  pool: 'threads',
  isolate: false,
  // Node strips the types itself: code that Vite has rewritten takes a tenth longer. `vi.mock` and `.tsx` need Vite.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  env: {
    // Halves the start-up time of Marquee.
    NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache'),
    TEST_FOLDER: fastFolder(),
  },
  // Only for what hangs: a busy machine may be ten times slower than an idle one.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
} as const;

const QUICK = {
  include: ['apps/**/*.test.ts', 'src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts'],
  // Leave out tests whose packages only `npm run ci` installs.
  exclude: ['**/node_modules/**', 'test/regular-expressions/**', ...SLOW],
};

/** Runs the quick tests of each of `DATABASES` on PostgreSQL; `quick` runs them on SQLite. */
const OTHER_DATABASE = {
  ...common,
  name: 'other-database',
  include: globSync(QUICK.include, { exclude: QUICK.exclude }).filter((file) =>
    /(?<!\w)DATABASES\b/.test(readFileSync(file, 'utf8')),
  ),
  env: { ...common.env, TEST_LANE: 'other-database' },
};
const hasOtherDatabase = process.env.TEST_DATABASES?.includes(',') ?? true;

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // One more than the number of processors: many tests wait for processes that they started.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    projects: [
      { test: { ...common, ...QUICK, name: 'quick', env: { ...common.env, TEST_LANE: 'quick' } } },
      ...(hasOtherDatabase ? [{ test: OTHER_DATABASE }] : []),
      { test: { ...common, name: 'slow', include: SLOW, testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
  },
});
