import type { Config } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { acceptLanguage } from '../../http/core/content-negotiation.ts';
import type { HttpRequest } from '../../http/core/request.ts';
import { catalogueFor } from '../../lib/i18n.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';

/** Settings of the site; undefined while the database is unavailable. */
export const siteIn = (context: Context, language: string): Promise<Site | undefined> =>
  getSite(context, language).catch(() => undefined);

/** Name of the site, or of the product while the database is unavailable. */
export const siteNameOf = (site: Site | undefined, { config }: Pick<Context, 'config'>): string =>
  config.siteName ?? site?.name ?? 'Marquee';

/** Language of a page: the visitor's preferred one among the site's languages that have messages. */
export const pageLanguage = ({ languages }: Pick<Config, 'languages'>, request: HttpRequest): string =>
  acceptLanguage(
    request.headers.get('accept-language'),
    languages.filter((language) => catalogueFor(language) !== undefined),
  );
