import { z } from 'zod';
import { JOB_STATES } from '../../db/tables/platform.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { resolveParamIn } from '../../http/input/date-param.ts';
import { date, integer, oneOf, text } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { countJobs, findJob, type JobRow, listJobs, removeJob, retryDeadJobs, retryJob } from './store.ts';

/** Background jobs, for administrators. */

const jobSchema = z
  .object({
    id: z.int(),
    kind: z.string(),
    key: z.string().nullable().describe('Name of the effect: at most one waiting job has it.'),
    state: z.enum(JOB_STATES).describe('`dead`: failed for good, kept for 90 days. A finished job is deleted.'),
    due_utc: utcTime.describe(
      'Time of the next attempt; of a running job, the end of its lease; of a dead one, its last attempt.',
    ),
    attempts: z.int().describe('Attempts so far.'),
    error: z.string().describe('Reason why the last attempt failed; empty if none did.'),
    payload: z.record(z.string(), z.union([z.string(), z.number()])).describe('Parameters of the job, such as ids.'),
    record: z.object({ kind: z.string(), id: z.int() }).nullable().describe('Record that the job works for.'),
    created_utc: utcTime,
  })
  .meta({ id: 'Job', description: 'A background job.' });

const render = ({ payload, owner: _owner, record_kind, record_id, ...row }: JobRow): z.output<typeof jobSchema> => ({
  ...row,
  // Written by `enqueue`.
  payload: JSON.parse(payload) as z.output<typeof jobSchema>['payload'],
  record: record_kind === null || record_id === null ? null : { kind: record_kind, id: record_id },
});

const mayOperate = (viewer: Viewer): boolean => can(viewer, 'operate');

const kind = (description: string) => text(description, { max: 100 });
const jobId = integer('Id of the job.', { min: 1 });

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/jobs',
  name: 'jobs.list',
  summary: 'List background jobs',
  description: 'Latest first.',
  input: {
    ...pageFields,
    state: oneOf('Only jobs in this state.', JOB_STATES),
    kind: kind('Only jobs of this kind.'),
  },
  responses: { 200: listSchema('jobs', jobSchema, 'JobList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: mayOperate,
  async handle({ context, urls }, { state, kind, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const { jobs, total } = await listJobs(context.db, { state, kind }, { limit: page.perPage, offset: page.offset });
    const url = urls.rest('admin', '/jobs');
    return listResponse({
      ...{ key: 'jobs', items: jobs.map(render), total, page, url },
      params: { per_page: page.perPage, state, kind },
    });
  },
});

const counts = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/jobs/counts',
  name: 'jobs.count',
  summary: 'Count background jobs',
  description: 'By kind and state; a kind without jobs is absent.',
  input: {},
  responses: {
    200: z
      .object({ counts: z.array(z.object({ kind: z.string(), state: z.enum(JOB_STATES), count: z.int() })) })
      .meta({ id: 'JobCounts', description: 'Numbers of background jobs.' }),
  },
  errors: ['rest_forbidden'],
  may: mayOperate,
  handle: async ({ context }) => ok({ counts: await countJobs(context.db) }, PRIVATE_NO_STORE),
});

/** @throws {ApiError} job-not-found */
async function getJob({ context }: RequestContext, id: number): Promise<JobRow> {
  const job = await findJob(context.db, id);
  if (!job) throw new ApiError('job-not-found');
  return job;
}

const retry = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/jobs/{id}/retry',
  name: 'jobs.retry',
  summary: 'Try a background job again',
  description:
    'A dead job starts afresh; a waiting one becomes due at once. If another job with its key is waiting, a dead one is removed instead.',
  input: { id: jobId },
  required: ['id'],
  responses: {
    200: z
      .object({ id: z.int(), retried: z.literal(true) })
      .meta({ id: 'RetriedJob', description: 'A background job that is tried again.' }),
  },
  errors: ['rest_forbidden', 'job-not-found', 'job-running'],
  may: mayOperate,
  async handle(ctx, { id }) {
    await getJob(ctx, id);
    const isRetried = await retryJob(ctx.context.db, id, toUtc(ctx.now));
    // It may have ended, or been retried by another request meanwhile.
    if (!isRetried && (await getJob(ctx, id)).state === 'running') throw new ApiError('job-running');
    return ok({ id, retried: true });
  },
});

const retryMany = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/jobs/retry',
  name: 'jobs.retry_dead',
  summary: 'Try all dead background jobs again',
  description: 'Each starts afresh. A dead job is removed instead if another job with its key is waiting.',
  input: {
    kind: kind('Only jobs of this kind.'),
    since: date('Only jobs that died since this time, in the time zone of the site unless it names one.'),
  },
  body: 'JobRetryInput',
  responses: {
    200: z
      .object({ retried: z.int().describe('Number of revived or removed jobs.') })
      .meta({ id: 'RetriedJobs', description: 'Background jobs that are tried again.' }),
  },
  errors: ['rest_forbidden'],
  idempotency: 'recorded',
  may: mayOperate,
  async handle({ context, now }, { kind, since }) {
    const clock = { zone: context.config.timezone, now };
    const from = since && resolveParamIn('since', since, clock);
    return ok({ retried: await retryDeadJobs(context.db, { kind, since: from }, toUtc(now)) });
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/jobs/{id}',
  name: 'jobs.remove',
  summary: 'Remove a background job',
  description:
    'Its work is not done. If it is running, its result is not recorded, but effects outside the server may remain.',
  input: { id: jobId },
  required: ['id'],
  responses: { 200: jobSchema },
  errors: ['rest_forbidden', 'job-not-found'],
  may: mayOperate,
  async handle({ context }, { id }) {
    const job = await removeJob(context.db, id);
    if (!job) throw new ApiError('job-not-found');
    return ok(render(job));
  },
});

export const jobEndpoints: readonly AnyEndpoint[] = [list, counts, retryMany, retry, remove];
