import { z } from 'zod';
import { hoursFromUtc, zoneId } from '../../lib/dates/dates.ts';
import { withRenderedMember } from '../../lib/rendered-json.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../core/endpoint.ts';
import { routesOf } from '../core/router.ts';
import { Urls } from '../core/urls.ts';
import { text } from '../input/schemas.ts';
import { describeRoutes, renderedOnce, type Site, siteOf } from './discovery.ts';

/** The product words of the namespaces below `/wp-json`. */
const WORDS = ['calendar', 'tribe'];

const rootSchema = z.object({
  name: z.string(),
  description: z.string(),
  url: z.string(),
  home: z.string(),
  gmt_offset: z.number().describe('Current offset of the site from UTC, in hours.'),
  timezone_string: z.string().describe('IANA time zone of the site; empty if it is an offset.'),
  namespaces: z.array(z.string()),
  authentication: z.record(z.string(), z.unknown()),
  routes: z.record(z.string(), z.unknown()),
  _links: z.unknown(),
});

type DescribeSite = (ctx: RequestContext) => Promise<{ name: string; tagline: string; timezone: string }>;

/**
 * Index of all namespaces, at `/wp-json/`. Existing clients start here to discover the namespaces and the page for
 * application passwords.
 */
export function rootIndex(all: readonly AnyEndpoint[], getSite: DescribeSite): AnyEndpoint {
  const root: AnyEndpoint = endpoint({
    namespace: 'root',
    methods: ['GET'],
    path: '',
    name: 'root.index',
    summary: 'Describe the site and list its namespaces',
    input: { context: text('Accepted for compatibility.', { max: 100 }) },
    responses: { 200: rootSchema },
    errors: [],
    async handle(ctx) {
      const { urls, context, now } = ctx;
      const { name, tagline, timezone } = await getSite(ctx);
      const about = {
        name,
        description: tagline,
        url: urls.origin,
        home: urls.origin,
        gmt_offset: hoursFromUtc(timezone, now),
        timezone_string: zoneId(timezone) ?? '',
        namespaces: namespacesOf(all, urls),
        authentication: {
          'application-passwords': { endpoints: { authorization: urls.page('/docs#authentication') } },
        },
        _links: { help: [{ href: urls.page('/docs') }] },
      };
      return ok(withRenderedMember('routes', routes(siteOf(context.config, urls, now)), about));
    },
  });
  const routes = renderedOnce(routesIn(root, all));
  return root;
}

const inWords = ({ origin, prefix }: Urls): Urls[] => WORDS.map((word) => new Urls(origin, prefix, word));

function namespacesOf(all: readonly AnyEndpoint[], urls: Urls): string[] {
  const names = inWords(urls).flatMap((spoken) => all.map(({ namespace }) => spoken.namespace(namespace)));
  return [...new Set(names)];
}

/** The routes of all namespaces, in both vocabularies. */
const routesIn = (root: AnyEndpoint, all: readonly AnyEndpoint[]) => (site: Site) => {
  const known = routesOf([root, ...all]);
  const described = inWords(site.urls).map((urls) =>
    describeRoutes(known, { ...site, urls, defaults: { ...site.defaults, word: urls.word } }),
  );
  return Object.assign({}, ...described);
};
