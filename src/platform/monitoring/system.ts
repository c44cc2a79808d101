import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import type { Setting } from '../../base/setting.ts';
import type { Database } from '../../db/database.ts';
import { findIncompleteRecords, findMissingCounters, type IncompleteRecords } from '../../db/integrity.ts';
import { schemaVersion } from '../../db/migrate.ts';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { getSite } from '../site/settings.ts';

/** State of the server, for administrators. */

/** Maximum number of listed findings; all are counted. */
const MAX_FINDINGS = 50;

const counterSchema = z.object({ counter: z.string(), id: z.int(), stored: z.int(), counted: z.int() });

const doctorSchema = z.object({
  count: z.int().describe('All findings; 0 for a sound database.'),
  counters: z.array(counterSchema).describe(`Counters that differ from a recount, at most ${MAX_FINDINGS}.`),
  incomplete: z.array(
    z.object({ what: z.string(), count: z.int(), example: z.int().describe('Id of an affected record.') }),
  ),
  uncounted: z.array(z.string()).describe('Parts of the data whose changes are not counted.'),
});

const systemSchema = z
  .object({
    version: z.string(),
    runtime: z.string().describe('Version of Node.js.'),
    uptime: z.int().describe('Seconds since the start of the responding process.'),
    workers: z.int().describe('Processes that serve requests.'),
    health: z.enum(['ok', 'attention']).describe('`attention`: a periodic job failed in its last run.'),
    database: z.object({
      kind: z.enum(['sqlite', 'postgres']),
      size: z.int().describe('Bytes.'),
      schema: z.string().describe('Last migration.'),
    }),
    disk: z
      .object({ free: z.int().describe('Bytes.'), size: z.int().describe('Bytes.') })
      .nullable()
      .describe('Disk of the data folder; null if unknown.'),
    jobs: z
      .array(
        z.object({
          name: z.string(),
          interval: z.int().describe('Interval in seconds.'),
          run_utc: utcTime
            .nullable()
            .describe('Last recorded run: at most one in five minutes is recorded, and every failure.'),
          failed_utc: utcTime.nullable().describe('Last failed run.'),
        }),
      )
      .describe('Periodic jobs.'),
    settings: z
      .array(
        z.object({
          name: z.string(),
          source: z.enum(['environment', 'site', 'default']).describe('Source of the value.'),
          value: z.string().nullable().describe('null for secrets and defaults.'),
          preset: z.string().describe('Description of the default.'),
          is_secret: z.boolean(),
        }),
      )
      .describe('Settings of the environment.'),
    doctor: doctorSchema.nullable().describe('Findings of `marquee doctor` in the database; null unless requested.'),
  })
  .meta({ id: 'System', description: 'State of the server and its settings.' });

type SystemBody = z.output<typeof systemSchema>;

/** Sources from layers above the platform. */
export interface SystemSources {
  settings: readonly Setting[];
  jobsOf(config: Config): readonly { name: string; interval: number }[];
  findJobRuns(db: Database): Promise<{ name: string; run_utc: string; failed_utc: string | null }[]>;
  examine(db: Database): Promise<z.output<typeof counterSchema>[]>;
  findBookErrors(db: Database): Promise<IncompleteRecords[]>;
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string;
};

export function systemEndpoint(sources: SystemSources): AnyEndpoint {
  const diagnose = createDoctor(sources);
  return endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: '/system',
    name: 'system.read',
    summary: 'Read the state of the server',
    description: 'Versions, disk space, periodic jobs and settings, without any secrets.',
    input: {
      doctor: boolean('With `true`, also recounts all counters and looks for incomplete records, without changes.'),
    },
    responses: { 200: systemSchema },
    errors: ['rest_forbidden'],
    may: (viewer) => can(viewer, 'manage_site'),
    async handle(ctx, { doctor = false }) {
      const { context } = ctx;
      const jobs = await findJobs(context, sources);
      const body: SystemBody = {
        version,
        runtime: process.version,
        uptime: Math.floor(process.uptime()),
        workers: context.config.workers,
        health: jobs.some(({ run_utc, failed_utc }) => run_utc !== null && run_utc === failed_utc) ? 'attention' : 'ok',
        database: {
          kind: context.db.dialect.kind,
          size: await context.db.dialect.size(context.db),
          schema: await schemaVersion(context.db),
        },
        disk: await diskRoom(context.config.data),
        jobs,
        settings: settingsOf(sources.settings, context.config, (await getSite(context, ctx.language)).name),
        doctor: doctor ? await diagnose(context.db) : null,
      };
      return ok(body, PRIVATE_NO_STORE);
    },
  });
}

async function findJobs({ db, config }: Context, { jobsOf, findJobRuns }: SystemSources): Promise<SystemBody['jobs']> {
  const runs = new Map((await findJobRuns(db)).map((run) => [run.name, run]));
  return jobsOf(config).map(({ name, interval }) => {
    const { run_utc = null, failed_utc = null } = runs.get(name) ?? {};
    return { name, interval, run_utc, failed_utc };
  });
}

/** Free space on the disk of a folder; null if unknown. */
const diskRoom = (folder: string): Promise<SystemBody['disk']> =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
    () => null,
  );

function settingsOf(settings: readonly Setting[], { given }: Config, siteName: string): SystemBody['settings'] {
  return settings.map(({ name, preset, isSecret = false }) => {
    const value = given[name];
    const common = { name, preset, is_secret: isSecret };
    if (value !== undefined) return { ...common, source: 'environment', value };
    if (name === 'MARQUEE_NAME') return { ...common, source: 'site', value: siteName };
    return { ...common, source: 'default', value: null };
  });
}

/** Examines a database. Requests during an examination share its result, since it reads all records. */
function createDoctor({
  examine,
  findBookErrors,
}: SystemSources): (db: Database) => Promise<z.output<typeof doctorSchema>> {
  const running = new WeakMap<Database, Promise<z.output<typeof doctorSchema>>>();
  const work = async (db: Database) => {
    const counters = await examine(db);
    const incomplete = [...(await findIncompleteRecords(db)), ...(await findBookErrors(db))];
    const uncounted = await findMissingCounters(db);
    return {
      count: counters.length + uncounted.length + incomplete.reduce((sum, { count }) => sum + count, 0),
      counters: counters.slice(0, MAX_FINDINGS),
      incomplete,
      uncounted,
    };
  };
  return (db) => {
    const started = running.get(db) ?? work(db).finally(() => running.delete(db));
    running.set(db, started);
    return started;
  };
}
