import type { Context } from '../../base/context.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';

/** Settings of the site; undefined while the database is unavailable. */
export const siteIn = (context: Context, language: string): Promise<Site | undefined> =>
  getSite(context, language).catch(() => undefined);

/** Name of the site, or of the product while the database is unavailable. */
export const siteNameOf = (site: Site | undefined, { config }: Pick<Context, 'config'>): string =>
  config.siteName ?? site?.name ?? 'Marquee';
