import { z } from 'zod';
import { can } from '../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../http/core/endpoint.ts';
import { ApiError } from '../http/core/errors.ts';
import { boolean } from '../http/input/schemas.ts';
import { type EndpointOf, inProcessContext } from '../platform/users/in-process-context.ts';
import { isCalendarEmpty } from './empty-calendar.ts';
import { languagesOfTexts } from './translations.ts';

const examplesSchema = z
  .object({
    dry_run: z.boolean().describe('Whether this was a dry run.'),
    is_possible: z.boolean().describe('Whether the calendar may get examples; for created ones, true.'),
    events: z.int(),
    venues: z.int(),
    organizers: z.int(),
    categories: z.int(),
    tags: z.int(),
    images: z.int(),
    tickets: z.int(),
    attendees: z.int(),
    languages: z.array(z.string()).describe('Languages of their texts.'),
  })
  .meta({ id: 'Examples', description: 'Number of example records by kind.' });

type ExamplesBody = z.output<typeof examplesSchema>;

/** A smaller version of `marquee demo`, for users who try out the calendar before their first event. */
export const examplesEndpoint = (endpointOf: EndpointOf): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['POST'],
    path: '/examples',
    name: 'examples.create',
    summary: 'Fill an empty calendar with examples',
    description:
      'The events of a made-up town around today, with venues, organizers, categories, pictures, tickets and attendees, ' +
      'whose addresses end in `.example`: no mail is sent. All of them or none. Only in a calendar without events, ' +
      'organizers, categories and tags, including the trash; the settings of the site stay unchanged. The audit log has ' +
      'one entry. Remove them one by one, like all records. Texts are in those languages of the site for which ' +
      'examples exist, English and French; in English if there are none.',
    input: {
      dry_run: boolean('true: create nothing; the response has the counts, and whether the examples are possible.'),
    },
    responses: { 200: examplesSchema },
    errors: ['rest_forbidden', 'calendar-not-empty'],
    may: (viewer) => can(viewer, 'manage_site'),
    async handle(ctx, { dry_run = false }) {
      // Loaded on demand: the texts of the examples take memory that most servers never need.
      const { countsOf, examplesOf } = await import('./examples-plan.ts');
      const plan = examplesOf(ctx.now);
      const announced = { ...countsOf(plan, ctx.now), languages: languagesOfTexts(ctx.context.config.languages) };
      if (dry_run) {
        const is_possible = await isCalendarEmpty(ctx.context.db);
        return ok({ dry_run, is_possible, ...announced } satisfies ExamplesBody);
      }
      const { createDemo, NotEmptyError } = await import('./fill.ts');
      await createDemo(inProcessContext(ctx, endpointOf), plan).catch((error: unknown) => {
        throw error instanceof NotEmptyError ? new ApiError('calendar-not-empty') : error;
      });
      return ok({ dry_run, is_possible: true, ...announced } satisfies ExamplesBody);
    },
  });
